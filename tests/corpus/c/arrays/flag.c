// expect: safe
// unknown: explicit, symbolic, bounded
// A flag that a loop only sets to a constant keeps what it was in iterations that do not set it.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[1000], b[1000];

int main(void) {
    for (int i = 0; i < 1000; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    int same = 1;
    for (int i = 0; i < 1000; i++)
        if (a[i] != b[i])
            same = 0;
    if (same)
        for (int i = 999; i >= 0; i--)
            assert(a[i] == b[i]);
    return 0;
}

// expect: unsafe
// unknown: cegar, explicit, symbolic
// The flag is set again by a later iteration.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[6], b[6];

int main(void) {
    for (int i = 0; i < 6; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    int same = 1;
    for (int i = 0; i < 6; i++) {
        if (a[i] != b[i])
            same = 0;
        if (a[i] == 77)
            same = 1;
    }
    if (same)
        for (int i = 0; i < 6; i++)
            assert(a[i] == b[i]);
    return 0;
}

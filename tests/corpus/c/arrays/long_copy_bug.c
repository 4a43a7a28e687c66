// expect: unsafe
// unknown: cegar, bounded, symbolic
// An execution at random fails, after 300,000 steps.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[30000], b[30000], c[30000];

int main(void) {
    for (int i = 0; i < 30000; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < 30000; i++)
        c[i] = a[i];
    for (int i = 0; i < 30000; i++)
        c[i] = b[i];
    for (int i = 0; i < 30000; i++)
        assert(c[i] == a[i]);
    return 0;
}

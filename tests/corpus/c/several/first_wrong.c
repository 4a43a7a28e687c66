// expect: unsafe
// unknown: symbolic
// options: --property assert,no-overflow,valid-memsafety
// The assertion holds; the access behind it is outside.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int a[3] = {1, 2, 3};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    assert(i <= 3);
    return a[i];
}

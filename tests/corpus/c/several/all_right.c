// expect: safe
// unknown: explicit, symbolic
// options: --property assert,no-undefined-arithmetic,valid-memsafety
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int a[3] = {1, 2, 3};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    int quotient = 12 / a[i];
    assert(quotient >= 4);
    return quotient;
}

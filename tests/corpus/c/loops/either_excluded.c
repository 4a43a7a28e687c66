// expect: safe
// unknown: explicit, bounded, symbolic, panda
// What is to be known of two numbers together is no range of either.
#include <assert.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 0, b = 0, made = 0;
    while (__VERIFIER_nondet_int()) {
        int one = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
        if (one == 1 && other == 3) {
            continue;
        }
        if (!made && __VERIFIER_nondet_int()) {
            made = 1;
            a = one;
            b = other;
        }
    }
    while (__VERIFIER_nondet_int()) {
        assert(!(made && a == 1 && b == 3));
    }
    return 0;
}

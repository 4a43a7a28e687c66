// expect: safe
// unknown: bounded, symbolic, explicit
// The sum of two numbers is always odd, though neither is: one grows by what the other shrinks, or by an even number.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void);

int main(void) {
    unsigned int x = 5, y = 2;
    while (__VERIFIER_nondet_uint()) {
        unsigned int step = __VERIFIER_nondet_uint();
        if (__VERIFIER_nondet_uint()) {
            x += step;
            y -= step;
        } else {
            x += 2 * step;
        }
        if (((x + y) & 1) == 0) {
            __VERIFIER_error();
        }
    }
    return 0;
}

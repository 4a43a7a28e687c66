// expect: safe
// unknown: explicit
// The opposite of what is at least zero is not above zero; NaN is not at least zero.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x >= 0) {
        float y = -x;
        if (y > 0) {
            __VERIFIER_error();
        }
    }
    return 0;
}

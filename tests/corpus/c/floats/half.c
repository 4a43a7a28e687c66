// expect: safe
// unknown: explicit
// Half of a number that is not among the very least is less than it.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x > 0.001f && x < 1000) {
        float y = x * 0.5f;
        if (!(y < x)) {
            __VERIFIER_error();
        }
    }
    return 0;
}

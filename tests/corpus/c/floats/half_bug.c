// expect: unsafe
// unknown: explicit
// Half of the least number is rounded, to zero; half of infinity is infinity.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x > 0 && x < 1 && x * 0.5f == 0) {
        __VERIFIER_error();
    }
    return 0;
}

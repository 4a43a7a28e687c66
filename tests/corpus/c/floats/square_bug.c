// expect: unsafe
// unknown: explicit
// Of all numbers, two have this square.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_error(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x * x == 2.25f) {
        __VERIFIER_error();
    }
    return 0;
}

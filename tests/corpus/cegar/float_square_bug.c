// expect: unsafe
// Of all numbers, two have this square.
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_error(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x * x == 2.25) {
        __VERIFIER_error();
    }
    return 0;
}

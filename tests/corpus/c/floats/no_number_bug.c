// expect: unsafe
// NaN is neither at least zero nor less than it.
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_error(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    double size = 0;
    if (x >= 0) {
        size = x;
    } else if (x < 0) {
        size = -x;
    } else {
        __VERIFIER_error();
    }
    return size < 0;
}

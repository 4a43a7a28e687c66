// expect: unsafe
// A float does not hold every int.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    float rounded = n;
    if (n > 0 && n < 100000000 && (int)rounded != n) {
        __VERIFIER_error();
    }
    return 0;
}

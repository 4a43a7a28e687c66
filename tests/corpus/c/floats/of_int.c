// expect: safe
// unknown: explicit
// A double holds every int, a float those of 24 bits.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    double exact = n;
    if ((int)exact != n) {
        __VERIFIER_error();
    }
    float rounded = n;
    if ((int)rounded != n && n < 16777216 && n > -16777216) {
        __VERIFIER_error();
    }
    return 0;
}

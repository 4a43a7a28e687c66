// expect: unsafe
// The sum of two large numbers wraps.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    if (low < 1000000000 || high < low || high == 2147483647) {
        return 0;
    }
    int middle = (low + high) / 2;
    if (middle < low) {
        __VERIFIER_error();
    }
    return 0;
}

// expect: unsafe
// unknown: explicit, symbolic
// One of the few values of the argument returns what must not be.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int pairs(int month) {
    if (month < 2) {
        return 1;
    }
    return pairs(month - 1) + pairs(month - 2);
}

int main(void) {
    int month = __VERIFIER_nondet_int();
    if (month > 40) {
        return 0;
    }
    if (pairs(month) == 8) {
        __VERIFIER_error();
    }
    return 0;
}

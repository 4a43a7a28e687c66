// expect: safe
// unknown: explicit, symbolic, bounded
// The argument has few values, and what each returns has no simple form: they are told apart.
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
    if (pairs(month) < month) {
        __VERIFIER_error();
    }
    return 0;
}

// expect: safe
// unknown: explicit, bounded
// Every lock that is taken is released: one step with many ways through it, and no predicate.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        int taken_a = 0, taken_b = 0, taken_c = 0;
        if (a) taken_a = 1;
        if (b) taken_b = 1;
        if (c) taken_c = 1;
        if (a && !taken_a) __VERIFIER_error();
        if (b && !taken_b) __VERIFIER_error();
        if (c && !taken_c) __VERIFIER_error();
    }
    return 0;
}

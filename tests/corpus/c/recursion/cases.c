// expect: safe
// unknown: explicit, symbolic, bounded
// What the result has to do with one argument depends on the other, and for the last of its values it has no simple form.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int apply(int level, int n) {
    if (level == 0) {
        return n + 1;
    }
    if (n == 0) {
        return apply(level - 1, 1);
    }
    return apply(level - 1, apply(level, n - 1));
}

int main(void) {
    int level = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    if (level < 0 || level > 3 || n < 0 || n > 20) {
        return 0;
    }
    if (apply(level, n) <= n) {
        __VERIFIER_error();
    }
    return 0;
}

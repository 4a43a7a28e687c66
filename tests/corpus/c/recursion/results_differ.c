// expect: safe
// unknown: explicit, symbolic, bounded
// A popped call has the results that the procedure can give for what was passed, and no others.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int sign(int n) {
    if (n == 0) {
        return 0;
    }
    if (n > 100) {
        return sign(n - 100);
    }
    if (n < -100) {
        return sign(n + 100);
    }
    return n > 0 ? 1 : -1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int s = sign(n);
    if (n > 0 && s < 0) {
        __VERIFIER_error();
    }
    return 0;
}

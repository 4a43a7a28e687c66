// expect: safe
// unknown: explicit, symbolic, bounded
// Recursion as deep as an input says: the inner call is popped, and what is known of the procedure takes its place.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_error(void);

unsigned identity(unsigned n) {
    if (n == 0) {
        return 0;
    }
    return identity(n - 1) + 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_ushort();
    if (identity(n) != n) {
        __VERIFIER_error();
    }
    return 0;
}

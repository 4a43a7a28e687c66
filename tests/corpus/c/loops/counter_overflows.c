// expect: unsafe
// The counter wraps where it is incremented once more: a result that ignores overflow would be wrong.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned char next = n + 1;
    if (next < n) {
        __VERIFIER_error();
    }
    return 0;
}

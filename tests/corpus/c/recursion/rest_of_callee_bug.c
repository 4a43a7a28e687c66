// expect: unsafe
// unknown: symbolic
// Only the rest of a callee, after its own call, writes the global; a pop that kept what was known of it would miss that.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);

int was_deep = 0;

void down(unsigned n) {
    if (n > 0) {
        down(n - 1);
        was_deep = 1;
    }
}

int main(void) {
    down(__VERIFIER_nondet_uchar());
    if (was_deep) {
        __VERIFIER_error();
    }
    return 0;
}

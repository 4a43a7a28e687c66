// expect: unsafe
// unknown: symbolic
// The same, and the global is taken for what it was before the call.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);

int calls = 0;

void down(unsigned n) {
    calls = calls + 1;
    if (n > 0) {
        down(n - 1);
    }
}

int main(void) {
    down(__VERIFIER_nondet_uchar());
    if (calls > 3) {
        __VERIFIER_error();
    }
    return 0;
}

// expect: safe
// unknown: symbolic, bounded
// A recursive procedure writes a global: what is known of the global before the call says nothing after it.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);

int calls = 0;

void down(unsigned n) {
    calls = 1;
    if (n > 0) {
        down(n - 1);
    }
}

int main(void) {
    down(__VERIFIER_nondet_uchar());
    if (calls != 1) {
        __VERIFIER_error();
    }
    return 0;
}

// expect: safe
// unknown: symbolic, bounded
// What the callee does to the global after its own call is part of what a popped call takes over.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);

int inside = 0;

void down(unsigned n) {
    inside = 1;
    if (n > 0) {
        down(n - 1);
    }
    inside = 0;
}

int main(void) {
    down(__VERIFIER_nondet_uchar());
    if (inside != 0) {
        __VERIFIER_error();
    }
    return 0;
}

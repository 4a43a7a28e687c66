// expect: safe
// unknown: explicit, symbolic, bounded
// Two procedures call each other; of their results, whether they are odd matters.
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void);

int black(unsigned squares);

int white(unsigned squares) {
    return squares == 0 ? 1 : black(squares - 1);
}

int black(unsigned squares) {
    return squares == 0 ? 0 : white(squares - 1);
}

int main(void) {
    unsigned squares = __VERIFIER_nondet_uint();
    if (white(squares) == squares % 2) {
        __VERIFIER_error();
    }
    return 0;
}

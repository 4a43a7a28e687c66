// expect: unsafe
// unknown: cegar, explicit, symbolic, panda
// The solver finds the inputs that are accepted; what is wrong after many rounds, when the counter wraps, needs no choice.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_error(void);

unsigned char first, second, third, rounds;

static int accepted(void) {
    return first != second && second != third && (unsigned char)(first * 3) == second && (unsigned char)(second * 5 + 1) == third;
}

int main(void) {
    unsigned short seen = 0;
    unsigned char more;
    first = __VERIFIER_nondet_uchar();
    second = __VERIFIER_nondet_uchar();
    third = __VERIFIER_nondet_uchar();
    more = __VERIFIER_nondet_uchar();
    if (!accepted() || more != (unsigned char)(first + third)) {
        return 0;
    }
    while (1) {
        for (unsigned char pause = 0; pause < 200; pause++) {
            seen ^= (unsigned short)(first + pause);
        }
        rounds++;
        if (rounds == 0 && first != second) {
            __VERIFIER_error();
        }
    }
}

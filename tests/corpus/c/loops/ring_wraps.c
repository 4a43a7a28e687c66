// expect: safe
// unknown: explicit, symbolic, bounded
// The sum wraps, and so does the number that it is compared with.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int token = __VERIFIER_nondet_int();
    int start = token;
    int turn = 0;
    while (__VERIFIER_nondet_int()) {
        if (turn < 3) {
            token = (int)((unsigned)token + 1u);
            turn = turn + 1;
        } else {
            if (token != (int)((unsigned)start + 3u)) {
                __VERIFIER_error();
            }
            start = token;
            turn = 0;
        }
    }
    return 0;
}

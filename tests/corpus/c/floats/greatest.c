// expect: safe
// unknown: explicit, bounded
// The greatest of any inputs is never below the first one, however many there are.
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    float greatest = 1.0f;
    while (__VERIFIER_nondet_int()) {
        float next = __VERIFIER_nondet_float();
        if (next > greatest) {
            greatest = next;
        }
    }
    if (!(greatest >= 1.0f)) {
        __VERIFIER_error();
    }
    return 0;
}

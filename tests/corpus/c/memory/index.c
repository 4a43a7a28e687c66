// expect: safe
// unknown: explicit, symbolic, bounded
// An index that is not known writes one of four elements.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int numbers[4];

int main(void) {
    int index = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        if (index >= 0 && index < 4) {
            numbers[index] = 3;
        }
        index = __VERIFIER_nondet_int();
    }
    if (numbers[2] != 0 && numbers[2] != 3) {
        __VERIFIER_error();
    }
    return 0;
}

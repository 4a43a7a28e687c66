// expect: unsafe
// unknown: symbolic
// Of the four elements, the third can be written too.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int numbers[4];

int main(void) {
    int index = __VERIFIER_nondet_int();
    if (index > 0 && index < 4) {
        numbers[index] = 3;
    }
    if (numbers[2] != 0) {
        __VERIFIER_error();
    }
    return 0;
}

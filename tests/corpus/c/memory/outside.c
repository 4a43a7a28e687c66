// expect: unknown
// The loop goes one element too far: what happens then is undefined.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int numbers[4];

int main(void) {
    int count = __VERIFIER_nondet_int();
    if (count < 0 || count > 4) {
        return 0;
    }
    numbers[count] = 1;
    if (numbers[0] > 1) {
        __VERIFIER_error();
    }
    return 0;
}

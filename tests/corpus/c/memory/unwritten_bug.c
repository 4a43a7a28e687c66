// expect: unsafe
// unknown: explicit, symbolic
// What malloc gives holds any values, each for ever.
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);

int main(void) {
    int *pair = malloc(2 * sizeof(int));
    if (pair[0] == 77 && pair[1] == pair[0] + 5) {
        __VERIFIER_error();
    }
    return 0;
}

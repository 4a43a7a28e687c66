// expect: safe
// unknown: explicit, symbolic, bounded
// A value that was never written is any, but it does not change.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);

int main(void) {
    int *number = malloc(sizeof(int));
    int before = *number;
    while (__VERIFIER_nondet_int()) {
    }
    if (*number != before) {
        __VERIFIER_error();
    }
    return 0;
}

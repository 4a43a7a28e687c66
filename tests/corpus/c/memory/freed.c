// expect: unknown
// The object is used after its end.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
    int *number = malloc(sizeof(int));
    *number = 1;
    if (__VERIFIER_nondet_int()) {
        free(number);
    }
    if (*number != 1) {
        __VERIFIER_error();
    }
    return 0;
}

// expect: safe
// unknown: explicit, symbolic
extern void *malloc(unsigned long), *realloc(void *, unsigned long), free(void *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
extern int __VERIFIER_nondet_int(void);

int main(void) {
    /* Whichever it is, nothing goes wrong. */
    int *p = malloc(4);
    free(p);
    int *q = malloc(4);
    int n = 1;
    if (p == q)
        n = 2;
    assert(n == 1 || n == 2);
    return 0;
}

// expect: unknown
extern void *malloc(unsigned long), *realloc(void *, unsigned long), free(void *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *p = malloc(64);
    assert((unsigned long)p % 64 != 8);
    return 0;
}

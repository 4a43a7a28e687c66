// expect: unknown
extern void *malloc(unsigned long), *realloc(void *, unsigned long), free(void *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a, b;
    unsigned long h = (unsigned long)&a * 31, g = (unsigned long)&b * 31;
    assert(h % 7 != g % 7 || h % 7 != 3);
    return 0;
}

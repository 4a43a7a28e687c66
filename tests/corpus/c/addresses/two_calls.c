// expect: unknown
extern void *malloc(unsigned long), *realloc(void *, unsigned long), free(void *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
extern int __VERIFIER_nondet_int(void);

static int *first;
static int *second;
static void note(int **where) {
    int local = 0;
    *where = &local;
}
int main(void) {
    note(&first);
    note(&second);
    assert(first != second);
    return 0;
}

// expect: safe
// unknown: cegar, explicit, symbolic
// A sum does not depend on the order of elements. No execution reads behind the last element.
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);

static int sum(int *x) {
    int result = 0;
    for (int i = 0; i < 8; i++)
        result = (int)((unsigned)result + (unsigned)x[i]);
    return result;
}

int main(void) {
    int x[8];
    for (int i = 0; i < 8; i++)
        x[i] = __VERIFIER_nondet_int();
    int before = sum(x), first = x[0];
    for (int i = 0; i < 7; i++)
        x[i] = x[i + 1];
    x[7] = first;
    if (sum(x) != before)
        __assert_fail("same sum", "sums_commute.c", 22, "main");
    return 0;
}

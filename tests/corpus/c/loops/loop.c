// expect: safe
// unknown: explicit, symbolic, bounded
// Two counters that go together, to a bound that is an input: only an abstraction can tell.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0, y = 0;
    while (x < n) {
        x++;
        y++;
    }
    if (n >= 0 && y != n) {
        __VERIFIER_error();
    }
    return 0;
}

// expect: safe
// unknown: explicit, symbolic
// Each call has a local object of its own, and nothing is left of the one before.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

void fill(int *where, int what) { *where = what; }

int twice(int number) {
    int local;
    fill(&local, number);
    return local + local;
}

int main(void) {
    int sum = 0;
    while (__VERIFIER_nondet_int()) {
        sum = twice(2) + twice(3);
        if (sum != 10) {
            __VERIFIER_error();
        }
    }
    return 0;
}

// expect: unsafe
// Nothing is known at the loop, at the first call as at the second. Were the second one covered by the first, whose stack
// is another one, what comes after it would never be looked at.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

void wait(void) {
    while (__VERIFIER_nondet_int()) {
    }
}

int main(void) {
    wait();
    wait();
    __VERIFIER_error();
    return 0;
}

// expect: unsafe
// unknown: bounded, symbolic, cegar
// options: --property unreach-call
/* tandem: abstract main.a signs */
// The sum of two positive numbers can be negative, of an unsigned type it is not; the execution is found all the same.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a = __VERIFIER_nondet_int();
    unsigned b = (unsigned)a + 1u;
    if (a > 0 && (int)b < 0)
        reach_error();
    return 0;
}

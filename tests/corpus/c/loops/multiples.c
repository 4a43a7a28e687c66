// expect: safe
// unknown: bounded, symbolic, explicit
// What is added is a multiple of 4 and of 8, modulo 2^32 as well, so that no sum is odd.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void);

int main(void) {
    unsigned int a = 0, b = 4, sum = 12;
    while (__VERIFIER_nondet_uint()) {
        a += 8 * __VERIFIER_nondet_uint();
        b += 4 * __VERIFIER_nondet_uint();
        sum += a - b;
        if (a + b + sum == 1) {
            __VERIFIER_error();
        }
        if (sum % 4 != 0) {
            __VERIFIER_error();
        }
    }
    return 0;
}

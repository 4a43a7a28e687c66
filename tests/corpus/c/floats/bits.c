// expect: safe
// unknown: explicit, symbolic
// The sign of a number is its highest bit, and NaN has its bits beyond those of infinity.
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_error(void);

union value {
    float number;
    unsigned bits;
};

int main(void) {
    union value v;
    v.number = __VERIFIER_nondet_float();
    if (v.number < 0 && !(v.bits >> 31)) {
        __VERIFIER_error();
    }
    if (v.number != v.number && (v.bits & 0x7fffffff) <= 0x7f800000u) {
        __VERIFIER_error();
    }
    return 0;
}

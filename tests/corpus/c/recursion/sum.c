// expect: safe
// unknown: explicit, symbolic, bounded
// What the call returns is the sum of its arguments, up to wrapping: executions suggest it.
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_error(void);

int carry(int full, int rest) {
    if (rest == 0) {
        return full;
    }
    return carry(full + 1, rest - 1);
}

int main(void) {
    int full = __VERIFIER_nondet_ushort();
    int rest = __VERIFIER_nondet_ushort();
    if (carry(full, rest) != full + rest) {
        __VERIFIER_error();
    }
    return 0;
}

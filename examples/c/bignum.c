// Addition of numbers of any length, in limbs of 16 bits, the lowest first.
#include <assert.h>
#include <stdint.h>

#define LIMBS 3

struct number {
    uint16_t limb[LIMBS];
};

/* The sum; what does not fit is returned. */
static uint16_t add(struct number *sum, const struct number *a, const struct number *b) {
    uint32_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint32_t digit = (uint32_t)a->limb[i] + b->limb[i] + carry;
        sum->limb[i] = (uint16_t)digit;
        carry = digit >> 16;
    }
    return (uint16_t)carry;
}

static uint64_t value(const struct number *n) {
    uint64_t value = 0;
    for (int i = LIMBS - 1; i >= 0; i--)
        value = value << 16 | n->limb[i];
    return value;
}

unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    struct number a, b, sum;
    for (int i = 0; i < LIMBS; i++) {
        a.limb[i] = __VERIFIER_nondet_ushort();
        b.limb[i] = __VERIFIER_nondet_ushort();
    }
    uint64_t carry = add(&sum, &a, &b);
    assert(value(&a) + value(&b) == (carry << 48 | value(&sum)));
    return 0;
}

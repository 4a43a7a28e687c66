// A set of small numbers, one bit for each.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define BITS 96

struct bitset {
    uint32_t words[BITS / 32];
};

static void add(struct bitset *set, unsigned number) {
    set->words[number / 32] |= (uint32_t)1 << (number % 32);
}

static void drop(struct bitset *set, unsigned number) {
    set->words[number / 32] &= ~((uint32_t)1 << (number % 32));
}

static bool has(const struct bitset *set, unsigned number) {
    return (set->words[number / 32] >> (number % 32) & 1) != 0;
}

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    struct bitset set = {{0}};
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a >= BITS || b >= BITS)
        return 0;
    add(&set, a);
    add(&set, b);
    assert(has(&set, a) && has(&set, b));
    drop(&set, a);
    assert(!has(&set, a));
    assert(has(&set, b) == (a != b));
    return 0;
}

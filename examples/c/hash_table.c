// A hash table with open addressing: numbers and what belongs to them.
#include <assert.h>
#include <stdbool.h>

#define SLOTS 2

struct entry {
    bool used;
    unsigned char key;
    int value;
};

static struct entry table[SLOTS];

/* The slot of a key, or the free one where it belongs, or NULL where the table is full. */
static struct entry *find(unsigned char key) {
    for (unsigned i = 0; i < SLOTS; i++) {
        struct entry *slot = &table[(key + i) % SLOTS];
        if (!slot->used || slot->key == key)
            return slot;
    }
    return 0;
}

static bool insert(unsigned char key, int value) {
    struct entry *slot = find(key);
    if (slot == 0)
        return false;
    slot->used = true;
    slot->key = key;
    slot->value = value;
    return true;
}

static int lookup(unsigned char key, int otherwise) {
    struct entry *slot = find(key);
    return slot != 0 && slot->used ? slot->value : otherwise;
}

unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar(), third = __VERIFIER_nondet_uchar();
    assert(insert(first, 1));
    assert(insert(second, 2));
    assert(lookup(second, 0) == 2);
    assert(lookup(first, 0) == (first == second ? 2 : 1));
    int found = lookup(third, 0);
    assert(found == 0 || third == first || third == second);
    return 0;
}

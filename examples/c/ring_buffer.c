// A queue of bytes in an array: what is put in comes out in the same order.
#include <assert.h>
#include <stdbool.h>

#define SIZE 4

struct ring {
    unsigned char bytes[SIZE];
    unsigned head, count;
};

static bool put(struct ring *ring, unsigned char byte) {
    if (ring->count == SIZE)
        return false;
    ring->bytes[(ring->head + ring->count) % SIZE] = byte;
    ring->count++;
    return true;
}

static bool take(struct ring *ring, unsigned char *byte) {
    if (ring->count == 0)
        return false;
    *byte = ring->bytes[ring->head];
    ring->head = (ring->head + 1) % SIZE;
    ring->count--;
    return true;
}

_Bool __VERIFIER_nondet_bool(void);

int main(void) {
    struct ring ring = {{0}, 0, 0};
    unsigned char next_in = 0, next_out = 0, byte;
    for (;;) {
        if (__VERIFIER_nondet_bool()) {
            if (put(&ring, next_in))
                next_in = (next_in + 1) % 8;
        } else if (take(&ring, &byte)) {
            assert(byte == next_out);
            next_out = (next_out + 1) % 8;
        }
        assert(ring.count <= SIZE && ring.head < SIZE);
    }
}

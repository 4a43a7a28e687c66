// Two roads cross. Each has a light, and a request to change can come from either at any time, any number of times.
// Is one of the two always red?
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum light { RED, GREEN, YELLOW };

static enum light next(enum light light, enum light other) {
    switch (light) {
    case RED:
        return other == RED ? GREEN : RED;
    case GREEN:
        return YELLOW;
    default:
        return RED;
    }
}

int main(void) {
    enum light north = RED, west = RED;
    unsigned waited = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {
            north = next(north, west);
        } else {
            west = next(west, north);
        }
        waited++;
        assert(north == RED || west == RED);
    }
}

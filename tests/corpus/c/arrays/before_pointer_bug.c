// expect: unsafe
// unknown: symbolic
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int elements[1000];

// An element is read through a pointer to the one behind it, after it was read by its index.
int main(void) {
    int *second = elements + 1;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n >= 1000) return 0;
    elements[n] = 5;
    int value = elements[n];
    if (value != 5) return 0;
    assert(n != 0 || second[-1] == 0);
    return 0;
}

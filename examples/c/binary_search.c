// Binary search in a sorted array.
#include <assert.h>

int __VERIFIER_nondet_int(void);

/* The index of the wanted number, or -1. */
static int search(const int *numbers, int count, int wanted) {
    int low = 0, high = count - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (numbers[middle] == wanted)
            return middle;
        if (numbers[middle] < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void) {
    int numbers[6] = {-40, -7, 0, 3, 12, 95};
    int wanted = __VERIFIER_nondet_int();
    int index = search(numbers, 6, wanted);
    assert(index >= -1 && index < 6);
    assert(index == -1 || numbers[index] == wanted);
    if (wanted == 12)
        assert(index == 4);
    return 0;
}

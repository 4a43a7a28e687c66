// A priority queue as a binary heap: the least number comes out first.
#include <assert.h>

#define MOST 4

static int heap[MOST];
static int count;

static void swap(int i, int j) {
    int kept = heap[i];
    heap[i] = heap[j];
    heap[j] = kept;
}

static void push(int number) {
    assert(count < MOST);
    int i = count++;
    heap[i] = number;
    while (i > 0 && heap[i] < heap[(i - 1) / 2]) {
        swap(i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static int pop(void) {
    assert(count > 0);
    int least = heap[0];
    heap[0] = heap[--count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && heap[child + 1] < heap[child])
            child++;
        if (heap[i] <= heap[child])
            break;
        swap(i, child);
        i = child;
    }
    return least;
}

int __VERIFIER_nondet_int(void);

int main(void) {
    for (int i = 0; i < MOST; i++)
        push(__VERIFIER_nondet_int());
    int last = pop();
    for (int i = 1; i < MOST; i++) {
        int next = pop();
        assert(last <= next);
        last = next;
    }
    return 0;
}

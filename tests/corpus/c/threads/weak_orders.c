// expect: unknown
// With weaker orders another thread may see the writes in another order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready;
static void *produce(void *nothing) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return nothing;
}
int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    return 0;
}

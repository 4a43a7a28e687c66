// expect: safe
// unknown: symbolic
// With one thread, orders do not matter.
#include <assert.h>
#include <stdatomic.h>
static atomic_int number = 1;
int main(void) {
    atomic_store_explicit(&number, 2, memory_order_release);
    atomic_fetch_add_explicit(&number, 3, memory_order_relaxed);
    assert(atomic_load_explicit(&number, memory_order_acquire) == 5);
    return 0;
}

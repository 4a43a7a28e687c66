// expect: safe
// unknown: symbolic
// options: --property assert,valid-deref
// What the atomic operations of the header keep in blocks of their own is gone with them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int lock;
int x;
void *add(void *unused) {
  while (atomic_exchange(&lock, 1)) {}
  x++;
  atomic_store(&lock, 0);
  return unused;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, add, 0);
  pthread_create(&other, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(x == 2);
  return 0;
}

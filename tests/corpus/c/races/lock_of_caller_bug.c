// expect: unsafe
// options: --property no-data-race
/* The callee gives back the lock of its caller. */
#include <pthread.h>
int x, calls;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
static void count(void) {
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&k);
  calls++;
  pthread_mutex_unlock(&k);
}
static void add(int n) {
  count();
  x += n;
  pthread_mutex_lock(&m);
}
void *one(void *arg) {
  pthread_mutex_lock(&m);
  add(1);
  add(2);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return x != 6;
}

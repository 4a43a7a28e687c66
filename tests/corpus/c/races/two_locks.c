// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
/* The second thread takes another lock. */
int shared[4];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
  pthread_mutex_lock(&m);
  shared[2] = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
void *two(void *arg) {
  pthread_mutex_lock(&n);
  int seen = shared[2];
  pthread_mutex_unlock(&n);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  return 0;
}

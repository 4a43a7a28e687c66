// expect: unsafe
// options: --property no-deadlock
#include <pthread.h>
/* The first thread has ended, the other waits for ever. */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
  pthread_mutex_lock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, one, 0);
  pthread_exit(0);
}

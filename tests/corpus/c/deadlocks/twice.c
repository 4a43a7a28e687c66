// expect: unsafe
// options: --property no-deadlock
#include <pthread.h>
/* A lock that its owner takes again. */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return 0;
}

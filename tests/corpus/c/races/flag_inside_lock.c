// expect: unsafe
// options: --property no-data-race
/* What the first thread writes with the lock, the second writes without it, once it has seen the flag. */
#include <pthread.h>
int x;
_Atomic int flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
  pthread_mutex_lock(&m);
  flag = 1;
  x = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
void *two(void *arg) {
  if (flag) x = 2;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}

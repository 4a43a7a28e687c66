// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
/* The new thread may read the handle before the old one has written it. */
pthread_t a;
void *one(void *arg) {
  pthread_t mine = a;
  return 0;
}
int main(void) {
  pthread_create(&a, 0, one, 0);
  return 0;
}

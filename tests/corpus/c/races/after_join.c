// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
#include <stdlib.h>
/* The wrong thread is waited for. The race is on an object on the heap. */
void *one(void *arg) {
  *(int *)arg = 1;
  return 0;
}
void *two(void *arg) { return 0; }
int main(void) {
  pthread_t a, b;
  int *place = malloc(sizeof(int));
  *place = 0;
  pthread_create(&a, 0, one, place);
  pthread_create(&b, 0, two, place);
  pthread_join(b, 0);
  return *place;
}

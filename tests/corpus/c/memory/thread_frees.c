// expect: unsafe
// unknown: symbolic
// options: --property valid-deref
/* A thread reads what main frees. */
#include <pthread.h>
#include <stdlib.h>
int *p;
void *one(void *arg) {
  return *p ? arg : 0;
}
int main(void) {
  pthread_t a;
  p = malloc(sizeof(int));
  if (!p) return 0;
  *p = 1;
  pthread_create(&a, 0, one, 0);
  free(p);
  pthread_join(a, 0);
  return 0;
}

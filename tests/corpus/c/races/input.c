// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
/* Only one element is shared, and an input says which. */
_Bool __VERIFIER_nondet_bool(void);
int shared[2];
void *one(void *arg) {
  shared[1] = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  shared[__VERIFIER_nondet_bool()] = 2;
  return 0;
}

// expect: safe
// options: --property no-deadlock
#include <pthread.h>
#include <stdlib.h>
/* An assumption that is false, the end of the program and a loop without end are no deadlocks. */
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
  pthread_mutex_lock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  _Bool which = __VERIFIER_nondet_bool();
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, one, 0);
  if (which)
    __VERIFIER_assume(0);
  while (1)
    ;
}

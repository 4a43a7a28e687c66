// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
/* An atomic section does not protect from those who do not use one. */
int guarded;
void __VERIFIER_atomic_add(int n) { guarded = guarded + n; }
void *one(void *arg) {
  __VERIFIER_atomic_add(1);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  return guarded;
}

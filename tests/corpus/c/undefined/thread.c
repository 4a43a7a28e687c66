// expect: unknown
#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
#include <pthread.h>
int zero;
static void *divide(void *argument) {
  __VERIFIER_atomic_begin();
  int y = 10 / zero;
  __VERIFIER_atomic_end();
  assert(y == 12345);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, divide, 0);
  pthread_join(t, 0);
  return 0;
}

// expect: unsafe
// options: --property unreach-call
// unknown: symbolic
/* Another thread sees the input before the assumption that excludes it. */
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
volatile int rounds;
void *look(void *arg) {
  if (rounds == 7)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  rounds = __VERIFIER_nondet_uint();
  __VERIFIER_assume(rounds >= 0 && rounds < 5);
  return 0;
}

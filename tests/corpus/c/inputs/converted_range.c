// expect: safe
// options: --property unreach-call
// unknown: symbolic
/* The range of an input that is given as another type, through a global before there is another thread. */
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
volatile int rounds;
void *count(void *arg) {
  int left = rounds;
  if (left < 3 || left > 6)
    reach_error();
  return 0;
}
int main(void) {
  pthread_t thread;
  rounds = __VERIFIER_nondet_uint();
  __VERIFIER_assume(rounds >= 3 && rounds <= 6);
  pthread_create(&thread, 0, count, 0);
  return 0;
}

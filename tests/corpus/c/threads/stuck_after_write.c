// expect: unsafe
// A thread writes, and then no execution goes on with it: the others may have seen what it wrote.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int x;
void *stuck(void *arg) {
  x = 1;
  __VERIFIER_assume(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, stuck, 0);
  if (x == 1) reach_error();
  return 0;
}

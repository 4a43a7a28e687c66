// expect: unsafe
// A thread that never gives anything back has written before: the others must have their turn after that.
#include <pthread.h>
extern void reach_error(void);
int x;
void *forever(void *arg) {
  x = 1;
  for (;;) {
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, forever, 0);
  if (x == 1) reach_error();
  return 0;
}

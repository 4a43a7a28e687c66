// expect: unsafe
// The same; the thread never comes back to a state that it was in for a very long time.
#include <pthread.h>
extern void reach_error(void);
int x;
void *forever(void *arg) {
  x = 1;
  for (unsigned long long n = 0;; n++) {
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, forever, 0);
  if (x == 1) reach_error();
  return 0;
}

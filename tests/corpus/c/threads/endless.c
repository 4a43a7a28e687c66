// expect: unsafe
// One thread goes round for ever without the other, which must have its turn all the same.
#include <pthread.h>
extern void reach_error(void);
int x;
void *forever(void *arg) {
  int i = 0;
  for (;;) i = !i;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, forever, 0);
  int n = 0;
  for (int i = 0; i < 100; i++) n += i & 1;
  x = n;
  if (x == 50) reach_error();
  return 0;
}

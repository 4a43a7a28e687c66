// expect: unsafe
// unknown: symbolic
#include <pthread.h>
extern void reach_error(void);
struct big { int a[20]; };
struct big s, n;
void *writer(void *argument) {
  for (int i = 0; i < 20; i++) n.a[i] = 1;
  s = n;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct big c = s;
  if (c.a[0] != c.a[19]) reach_error();
  pthread_join(t, 0);
  return 0;
}

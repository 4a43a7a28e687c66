// expect: unsafe
// unknown: cegar, symbolic, bounded
// The copy has to overtake the write, which takes 300 steps of each thread. What it is copied to nobody else sees
// before the join, so that it is one step per member and not two.
#include <pthread.h>
extern void reach_error(void);
struct big { int a[300]; };
struct big s, n, c;
void *writer(void *argument) { s = n; return 0; }
void *reader(void *argument) { c = s; return 0; }
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < 300; i++) n.a[i] = 1;
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, reader, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (c.a[0] == 1 && c.a[299] == 0) reach_error();
  return 0;
}

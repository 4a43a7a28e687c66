// expect: safe
// unknown: symbolic
// A copy after the join is seen by nobody: the order of its parts is no assumption.
#include <pthread.h>
extern void reach_error(void);
struct pair { int a, b; } s, n = {1, 1};
void *writer(void *argument) {
  s.a = n.a;
  s.b = n.b;
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, writer, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  struct pair c = s;
  if (c.a != 1 || c.b != 1) reach_error();
  return 0;
}

// expect: unsafe
// unknown: symbolic
// A structure that is passed or returned is read member by member, too.
#include <pthread.h>
extern void reach_error(void);
struct pair { int a, b; };
struct pair s;
static int differ(struct pair p) { return p.a != p.b; }
void *writer(void *argument) {
  struct pair one = {1, 1};
  s = one;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (differ(s)) reach_error();
  pthread_join(t, 0);
  return 0;
}

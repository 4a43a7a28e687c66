// expect: unsafe
// unknown: symbolic
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
struct one { int a; };
struct one s = {1}, w = {2};
void *writer(void *argument) { s = w; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  w = s;
  pthread_join(t, 0);
  if (s.a == 2 && w.a == 1) reach_error();
  return 0;
}

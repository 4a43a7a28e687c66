// expect: unsafe
// options: --data-model ILP32
#include <pthread.h>
extern void reach_error(void);
long long g;
void *writer(void *argument) { g = -1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  long long v = g;
  if (v != 0 && v != -1) reach_error();
  return 0;
}

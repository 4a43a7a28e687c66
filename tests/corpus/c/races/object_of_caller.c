// expect: unsafe
// options: --property no-data-race
/* A local of main is read by a thread through a pointer, while main writes it. */
#include <pthread.h>
void *one(void *arg) {
  int *p = arg;
  return *p ? arg : 0;
}
int main(void) {
  pthread_t a;
  int x = 0;
  pthread_create(&a, 0, one, &x);
  x = 1;
  pthread_join(a, 0);
  return 0;
}

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// The counter gets to the number of threads only where each adds before the next one reads, and the first thread looks after all.
#include <pthread.h>
#define N 20
int count;
void *look(void *p) {
  if (count == N) __VERIFIER_error();
  return 0;
}
void *add(void *p) {
  int seen = count;
  count = seen + 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  for (int i = 0; i < N; i++) pthread_create(&t, 0, add, 0);
  return 0;
}

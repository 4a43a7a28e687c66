// expect: unsafe
// unknown: symbolic
#include <pthread.h>
#include <assert.h>
/* The workers are told apart by their arguments: only what the second one does after the first one fails. */
int last = -1;
void *work(void *arg) {
  int number = (int)(long)arg;
  if (last == 1)
    assert(number != 2);
  last = number;
  return 0;
}
int main(void) {
  pthread_t worker;
  for (int i = 0; i < 3; i++)
    pthread_create(&worker, 0, work, (void *)(long)i);
  return 0;
}

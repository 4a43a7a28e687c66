// expect: unsafe
// unknown: symbolic
#include <pthread.h>
#include <assert.h>
/* Which of the workers is where does not matter, but how many are: two updates of three can be lost. */
int count, ended;
void *work(void *arg) {
  int seen = count;
  count = seen + 1;
  ended = ended + 1;
  return 0;
}
int main(void) {
  pthread_t worker;
  for (int i = 0; i < 3; i++)
    pthread_create(&worker, 0, work, 0);
  if (ended == 3)
    assert(count > 1);
  return 0;
}

// expect: unknown
// options: --property no-deadlock
#include <pthread.h>
#include <semaphore.h>
/* That somebody waits for a semaphore for ever is not looked for. */
sem_t ready;
void *one(void *arg) {
  sem_wait(&ready);
  return 0;
}
int main(void) {
  pthread_t a;
  sem_init(&ready, 0, 0);
  pthread_create(&a, 0, one, 0);
  pthread_join(a, 0);
  return 0;
}

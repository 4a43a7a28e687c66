// expect: safe
// options: --property no-data-race
#include <pthread.h>
#include <semaphore.h>
sem_t ready;
int data;
void *producer(void *arg) {
  data = 42;
  sem_post(&ready);
  return 0;
}
int main(void) {
  pthread_t a;
  sem_init(&ready, 0, 0);
  pthread_create(&a, 0, producer, 0);
  sem_wait(&ready);
  return data;
}

// expect: unsafe
// options: --property no-deadlock
// A signal wakes a thread of the wrong kind.
#include <pthread.h>
#include <assert.h>
#define SIZE 1
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int count;
void *producer(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (count == SIZE) pthread_cond_wait(&changed, &lock);
    count++;
    assert(count <= SIZE);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
void *consumer(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    while (count == 0) pthread_cond_wait(&changed, &lock);
    count--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, producer, 0);
  pthread_create(&t[1], 0, producer, 0);
  pthread_create(&t[2], 0, consumer, 0);
  pthread_create(&t[3], 0, consumer, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}

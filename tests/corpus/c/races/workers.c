// expect: safe
// options: --property no-data-race
#include <pthread.h>
/* Five workers that are alike, of which it does not matter who is where. */
#define WORKERS 5
int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) {
  pthread_mutex_lock(&m);
  int seen = count;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  count = seen + 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t worker;
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&worker, 0, work, 0);
  return 0;
}

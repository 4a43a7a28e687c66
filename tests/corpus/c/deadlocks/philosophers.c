// expect: safe
// options: --property no-deadlock
#include <pthread.h>
#define ORDERED
#define N 4
pthread_mutex_t forks[N];
void *philosopher(void *arg) {
  int i = (int)(long)arg;
  int left = i, right = (i + 1) % N;
#ifdef ORDERED
  if (right < left) { int t = left; left = right; right = t; }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, (void *)(long)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}

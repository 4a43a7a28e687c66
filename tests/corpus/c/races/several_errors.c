// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
/* Four pairs of accesses race: `two` and `main` with `one`, over each of two variables. */
int first, second, locked;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *arg) {
  first = 1;
  second = 2;
  pthread_mutex_lock(&m);
  locked++;
  pthread_mutex_unlock(&m);
  return 0;
}
void *two(void *arg) {
  int seen = first;
  seen += second;
  pthread_mutex_lock(&m);
  locked += seen;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  if (first == 1 &&
      second == 2)
    return 1;
  return 0;
}

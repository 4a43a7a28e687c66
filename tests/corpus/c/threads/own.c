// expect: safe
// unknown: symbolic
// Each thread works on its own variables for a while; in which order they do is no matter.
#include <pthread.h>
extern void reach_error(void);
int sum;
pthread_mutex_t m;
void *add(void *arg) {
  int own = 0;
  for (int i = 0; i < 200; i++) own += i;
  pthread_mutex_lock(&m);
  sum += own;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_mutex_init(&m, 0);
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (sum != 39800) reach_error();
  return 0;
}

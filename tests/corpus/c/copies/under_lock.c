// expect: safe
// unknown: symbolic
#include <pthread.h>
extern void reach_error(void);
struct pair { int a, b; };
struct pair s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *writer(void *argument) {
  struct pair n = {1, 1};
  pthread_mutex_lock(&m);
  s = n;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  struct pair z = {0, 0};
  s = z;
  pthread_create(&t, 0, writer, 0);
  pthread_mutex_lock(&m);
  struct pair c = s;
  pthread_mutex_unlock(&m);
  if (c.a != c.b) reach_error();
  pthread_join(t, 0);
  return 0;
}

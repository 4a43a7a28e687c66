// expect: unknown
#include <pthread.h>
#include <string.h>
extern void reach_error(void);
struct pair { int a, b; };
struct pair s;
void *writer(void *argument) {
  memset(&s, 1, sizeof s);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  struct pair c = s;
  if (c.a == 5) reach_error();
  pthread_join(t, 0);
  return 0;
}

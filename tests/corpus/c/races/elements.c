// expect: safe
// options: --property no-data-race
#include <pthread.h>
/* Elements of one array, and members of one structure, are places of their own; reads do not race. */
int shared[2];
struct pair { char a, b; } pair;
int constant = 7;
void *one(void *arg) {
  shared[0] = constant;
  pair.a = 1;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  shared[1] = constant;
  pair.b = 2;
  pthread_join(a, 0);
  return shared[0] + pair.a;
}

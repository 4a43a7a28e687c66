// expect: unsafe
// unknown: symbolic
#include <pthread.h>
#include <string.h>
#include <stdlib.h>
extern void reach_error(void);
char *s; 
void *writer(void *argument) { size_t n = 3; memset(s, 1, n);  return 0; }
int main(void) {
  pthread_t t;
  s = calloc(4,1);
  pthread_create(&t, 0, writer, 0);
  char c[4]; int n = 4;
  memmove(c, s, n);
  if (c[0]==1 && c[1] == 0) reach_error();
  pthread_join(t, 0);
  return 0;
}

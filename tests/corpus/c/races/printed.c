// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
#include <stdio.h>
char s[4] = "ab";
void *writer(void *argument) { s[2] = 'c'; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  printf("%d %s\n", 1, s);
  return 0;
}

// expect: safe
// options: --property no-data-race
// What is behind the end of a string, or beyond the precision, is not read.
#include <pthread.h>
#include <stdio.h>
char s[8] = "ab", u[8] = "cd";
int n;
void *writer(void *argument) { s[2] = 'c'; s[3] = 0; u[3] = 'e'; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  printf("%.2s", s);
  puts(u);
  fputs(u, stderr);
  pthread_join(t, 0);
  printf("%s %d", s, n);
  return 0;
}

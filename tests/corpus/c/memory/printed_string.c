// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char text[6] = "hello";
  char part[3] = {'a', 'b', 'c'};
  char *copy = malloc(4);
  strcpy(copy, "abc");
  printf("%s %.3s %5.2s\n", text, part, part);
  puts(copy);
  free(copy);
  return 0;
}

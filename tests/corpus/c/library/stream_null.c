// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
// A file that cannot be opened is read.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("a", "r");
  int c = fgetc(file);
  fclose(file);
  return c == 'a';
}

// expect: safe
// options: --property assert,valid-deref
// unknown: explicit, symbolic
// Of an argument that is only taken as a number nothing else matters, so that it may have any length; the name of the
// program is printed, which changes nothing.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int table[8];
  if (argc != 3) {
    fprintf(stderr, "usage: %s width height\n", argv[0]);
    return 1;
  }
  if (atoi(argv[1]) < 1 || atoi(argv[1]) > 4)
    return 1;
  int width = atoi(argv[1]);
  long height = strtol(argv[2], NULL, 10);
  assert(width >= 1 && width <= 4);
  if (height < 1 || height > 2)
    return 1;
  table[width * height - 1] = 1;
  return table[width * height - 1] - 1;
}

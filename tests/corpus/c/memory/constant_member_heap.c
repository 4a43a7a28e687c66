// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
// An object on the heap has no declared type: its members may be written.
#include <stdlib.h>
struct pair {
  const int fixed;
  int free;
};
int main(void) {
  struct pair *pair = malloc(sizeof *pair);
  *(int *)&pair->fixed = 3;
  pair->free = pair->fixed;
  free(pair);
  return 0;
}

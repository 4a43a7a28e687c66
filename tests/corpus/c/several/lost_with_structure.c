// expect: unsafe
// unknown: symbolic
// options: --property no-leak
// The structure that held the object ends with its block.
#include <stdlib.h>
struct holder { int *held; };
int main(void) {
  {
    struct holder h;
    h.held = malloc(4);
    *h.held = 1;
  }
  for (volatile int i = 0; i < 2; i++)
    ;
  return 0;
}

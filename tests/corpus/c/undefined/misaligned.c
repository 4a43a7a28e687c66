// expect: unsafe
// unknown: symbolic
// options: --property no-undefined-expression
// The pointer is not aligned for an `int`.
#include <stdlib.h>
int main(void) {
  char *bytes = malloc(16);
  int *p = (int *)(bytes + 2);
  free(bytes);
  return p == 0;
}

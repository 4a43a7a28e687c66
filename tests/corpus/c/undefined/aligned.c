// expect: safe
// unknown: symbolic
// options: --property no-undefined-expression
// Every fourth byte is aligned for an `int`.
#include <stdlib.h>
int main(void) {
  char *bytes = malloc(16);
  int *p = (int *)(bytes + 4);
  *p = 1;
  int x = *p;
  free(bytes);
  return x - 1;
}

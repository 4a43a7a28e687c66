// expect: safe
// unknown: symbolic
// options: --property valid-deref
// No object is as large as the product says, so there is none.
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  size_t n = SIZE_MAX / 4 + 2;
  int *p = calloc(n, 4);
  if (p) {
    p[1] = 1;
    free(p);
  }
  return 0;
}

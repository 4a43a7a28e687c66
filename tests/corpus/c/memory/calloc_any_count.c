// expect: unsafe
// unknown: symbolic
// options: --property valid-deref
// There may be no object, and it may have no elements.
#include <stdlib.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  int *p = calloc(__VERIFIER_nondet_ulong(), sizeof *p);
  p[0] = 1;
  free(p);
  return 0;
}

// expect: unknown
// options: --property unreach-call
// The second element may lie outside of the object: only a property file of the competition takes it to be valid.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  char *p = malloc(n + 1);
  if (p == 0) return 0;
  p[1] = 3;
  if (n > 255) reach_error();
  free(p);
  return 0;
}

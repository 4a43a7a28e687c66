// expect: safe
// unknown: explicit, symbolic
// Distances of pointers that may be into one object or null, of two null pointers, and under a condition.
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
struct s { int a, b; };
int main(void) {
  int x[4];
  int n = __VERIFIER_nondet_int();
  int *p = n ? x + 1 : x, *q = 0, *r = n > 5 ? 0 : q;
  assert((p + 2) - x >= 2 && (r - q) == 0);
  assert(((char *)&((struct s *)0)->b - (char *)0) == 4);
  int c = p && p - x > 0;
  assert(c == !!n);
  return 0;
}

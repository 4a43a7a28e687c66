// expect: safe
// unknown: explicit, symbolic, bounded
// A field is counted down by an input without a bound: only refinement tells that it stays above zero.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct clock { int left; int ticks; };
int main(void) {
  struct clock c = { __VERIFIER_nondet_int(), 0 };
  if (c.left < 0) return 0;
  while (c.left > 0) c.left--;
  assert(c.left == 0);
  return 0;
}

// expect: safe
// unknown: explicit, symbolic, bounded
// A recursive procedure counts an input without a bound down.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int down(int n) { return n <= 0 ? n : down(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  assert(down(n) == 0);
  return 0;
}

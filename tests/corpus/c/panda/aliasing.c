// expect: safe
// unknown: explicit, symbolic, bounded
// Two pointers are to one variable or to two, by an input.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  int *p = &x, *q = __VERIFIER_nondet_int() ? &x : &y;
  if (x > 100 || y > 100) return 0;
  while (*p < 100) *p = *p + 1;
  *q = 7;
  assert(p != q || x == 7);
  assert(p == q || (x == 100 && y == 7));
  return 0;
}

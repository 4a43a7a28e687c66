// expect: unknown
// The distance of pointers into different objects is undefined.
#include <assert.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
struct s { int a, b; };
int main(void) {
  int x[4], y[4];
  int *p = __VERIFIER_nondet_int() ? x : y;
  ptrdiff_t d = (p + 2) - x;
  assert(d == 2);
  return 0;
}

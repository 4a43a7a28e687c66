// expect: safe
// unknown: explicit, symbolic, panda
// The results of functions that C leaves open are in their ranges, whatever the argument; NaN and infinities have their own.
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  double y = sin(x);
  assert(isinf(x) || isnan(x) ? isnan(y) : y >= -1 && y <= 1);
  y = tanh(x);
  assert(isnan(x) || (y >= -1 && y <= 1));
  return 0;
}

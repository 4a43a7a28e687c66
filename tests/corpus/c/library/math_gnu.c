// expect: safe
// unknown: symbolic, panda, cegar
// options: --property unreach-call
// A signaling NaN is no missing number to `fmin` and `fmax`, and a distance that overflows is an error, as in the GNU library.
#include <errno.h>
#include <math.h>
#include <string.h>
extern void __VERIFIER_error(void);
#define CHECK(c) if (!(c)) __VERIFIER_error()

int main(void) {
  unsigned long bits = 0x7ff0000000000001;
  double signaling;
  memcpy(&signaling, &bits, 8);
  CHECK(isnan(fmin(signaling, 1)) && isnan(fmax(1, signaling)) && fmin(NAN, 1) == 1);
  errno = 0;
  CHECK(fdim(INFINITY, 1) == INFINITY && errno == 0);
  CHECK(fdim(1e308, -1e308) == INFINITY && errno == ERANGE);
  return 0;
}

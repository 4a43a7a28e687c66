// expect: safe
// unknown: bounded, cegar, symbolic, panda
// What mathematics has exactly, and hexadecimal constants at the ends of the range.
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
  assert(pow(2, 10) == 1024 && pow(-2, 3) == -8 && pow(10, 15) == 1e15 && pow(0.5, 3) == 0.125);
  assert(pow(NAN, 0) == 1 && pow(-INFINITY, -3) == 0 && signbit(pow(-INFINITY, -3)));
  assert(log2(8) == 3 && log10(1000) == 3 && exp2(-3) == 0.125 && hypot(3, 4) == 5);
  assert(sin(0.0) == 0 && cos(0.0) == 1 && exp(0.0) == 1 && log(1.0) == 0 && ldexp(1, -1074) == 0x1p-1074);
  assert(errno == 0 && isnan(log(-1)) && errno == EDOM);
  errno = 0;
  assert(isnan(pow(-8, 0.5)) && errno == EDOM);
  errno = 0;
  assert(isinf(pow(0, -1)) && errno == ERANGE);
  errno = 0;
  assert(isnan(sqrt(-1)) && errno == EDOM);
  assert(0x1.fffffffffffffp+1023 < INFINITY && 0x1p-1074 > 0 && 0x1p-1074 / 2 == 0);
  return 0;
}

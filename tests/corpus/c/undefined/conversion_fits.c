// expect: safe
// unknown: symbolic
// options: --property assert,no-undefined-arithmetic
// The bounds are sharp, for each sign, width and format.
#include <assert.h>
int main(void) {
  double d[] = {-2147483648.9, 2147483647.9, -0.9, 4294967295.9, -9223372036854775808.0, 9223372036854774784.0};
  assert((int)d[0] == -2147483647 - 1 && (int)d[1] == 2147483647);
  assert((unsigned)d[2] == 0 && (unsigned)d[3] == 4294967295u);
  assert((long)d[4] < 0 && (long)d[5] == 9223372036854774784);
  float f[] = {-2147483648.0f, 2147483520.0f, -128.9f, 255.9f, 18446742974197923840.0f};
  assert((int)f[0] < 0 && (int)f[1] == 2147483520 && (signed char)f[2] == -128 && (unsigned char)f[3] == 255);
  assert((unsigned long)f[4] == 18446742974197923840u);
  int n = 7;
  n *= 0.5;
  assert(n == 3);
  return 0;
}

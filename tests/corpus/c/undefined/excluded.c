// expect: safe
// unknown: explicit, symbolic
// options: --property assert
// Whatever is undefined here is in branches that are not taken.
#include <assert.h>
#include <limits.h>
extern int __VERIFIER_nondet_int(void);
struct bits { unsigned n : 5; int s : 3; };
static int quotient(int a, int b) { return b == 0 || (a == INT_MIN && b == -1) ? 0 : a / b; }
static unsigned shifted(unsigned x, int n) { return n >= 0 && n < 32 ? x << n : 0; }
static int one(void) { return 1; }
static int two(void) { return 2; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -2 || n > 40)
    return 0;
  assert(quotient(6, n) <= 6 && quotient(INT_MIN, -1) == 0 && quotient(6, 0) == 0);
  assert(shifted(1, n) != 3);
  int z = 0;
  assert(!(z && 1 / z) && (z == 0 || 5 % z == 0));
  if (z)
    z = 1 % z + (1 << 40);
  unsigned char c = 255;
  assert(c << 8 == 65280 && c >> 8 == 0);
  assert(1LL << 32 == 4294967296LL && 1L << 31 != 0);
  struct bits b = {31, -1};
  assert(1u << b.n == 0x80000000u);
  unsigned u = (unsigned)n;
  assert((1u << (u & 31)) != 0 && (1ull << (u % 64)) != 0);
  c /= 5;
  c <<= 2;
  c %= 7;
  assert(c == 204 % 7);
  double d = 1.0 / z;
  assert(d > 1e300);
  int (*table[])(void) = {one, two};
  int (*p)(void) = n > 3 ? table[1] : 0;
  assert(!p || p() == 2);
  return 0;
}

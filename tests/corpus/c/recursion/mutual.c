// expect: safe
// unknown: explicit, symbolic, bounded
// What one procedure was called with is not visible in the other.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int depth;
int b(int n);
int a(int n) {
  if (n == 1) {
    depth--;
    return b(0) + 1;
  }
  if (n <= 0) return 0;
  depth++;
  int r = b(n - 1) + 1;
  depth--;
  return r;
}
int b(int m) {
  if (m <= 0) return 0;
  depth++;
  int r = a(m - 1) + 1;
  depth--;
  return r;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  assert(a(n) == n);
  return 0;
}

// expect: safe
// unknown: symbolic
// Only 0 to 5 come past the condition; all other inputs are alike.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[6] = {0};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 5) return 0;
  a[n] = 1;
  int m = __VERIFIER_nondet_int();
  int copy = m;
  if (m >= 0) {
    if (copy <= 5) assert(a[m] == (m == n));
  }
  return 0;
}

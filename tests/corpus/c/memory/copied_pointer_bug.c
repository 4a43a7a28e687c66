// expect: unsafe
// unknown: symbolic
// A copy of a pointer means another object each time it is made.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int low, high;
int *at, *seen;
int main(void) {
  at = &low;
  while (1) {
    if (__VERIFIER_nondet_int())
      at = &high;
    seen = at;
    if (__VERIFIER_nondet_int())
      assert(seen != &high);
  }
  return 0;
}

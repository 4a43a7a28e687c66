// expect: unsafe
// Values that are compared alike and then used are not alike.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 100 || n > 200) return 0;
  int kept = n;
  n = 0;
  assert(kept * 3 != 471);
  return n;
}

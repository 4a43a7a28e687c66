// expect: unsafe
// The loop compares the input with more than a constant.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 9) return 0;
  int i = 0;
  while (i < n) i++;
  assert(i != 7);
  return 0;
}

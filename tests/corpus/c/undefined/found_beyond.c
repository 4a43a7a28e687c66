// expect: unsafe
// One execution divides by zero, others come to a false assertion.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 7)
    return 0;
  int y = 100 / n;
  for (int i = 0; i < 3; i++)
    y += i << n;
  assert(y != 20 + 96);
  return 0;
}

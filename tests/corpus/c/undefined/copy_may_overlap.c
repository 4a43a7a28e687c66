// expect: unknown
// Whether a copy overlaps depends on an input.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char a[8] = "abcdefg";
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  memcpy(a, a + 2, n);
  assert(a[7] == 0);
  return 0;
}

// expect: safe
// Functions without a body that do not return.
#include <assert.h>
#include <err.h>

__attribute__((noreturn)) void fails(int);
_Noreturn void stops(void);
[[noreturn]] void ends(void);
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int n = __VERIFIER_nondet_uchar() & 7;
  if (n == 1)
    fails(n);
  if (n == 2)
    stops();
  if (n == 3)
    ends();
  if (n == 4)
    errx(1, "%d is not allowed", n);
  assert(n < 1 || n > 4);
  return 0;
}

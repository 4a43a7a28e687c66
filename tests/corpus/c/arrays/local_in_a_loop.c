// expect: safe
// unknown: explicit, symbolic
// A local array of a loop is any again in each round.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), t = 0;
  for (int i = 0; i < 2; i++) { char buf[8]; memset(buf, 0, sizeof buf); if (n >= 0 && n < 8) buf[n] = 'x'; if (buf[0] == 'x') t++; }
  assert(t == 0 || t == 2);
  return 0;
}

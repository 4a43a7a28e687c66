// expect: safe
// unknown: explicit, symbolic, bounded
// An inner loop over an input without a bound inside an outer one.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int turns = 0;
  while (__VERIFIER_nondet_int()) {
    int i = __VERIFIER_nondet_int();
    if (i < 0) break;
    while (i >= 4) i -= 4;
    assert(i >= 0 && i < 4);
    turns = turns == 3 ? 0 : turns + 1;
    assert(turns >= 0 && turns <= 3);
  }
  return 0;
}

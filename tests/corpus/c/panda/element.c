// expect: safe
// unknown: explicit, symbolic, bounded
// An element of an array is bounded by what is written to it in a loop without an end.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[2] = { 0, 0 };
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (x > 5 && x < 20) a[1] = x;
    assert(a[0] == 0);
    assert(a[1] < 20);
  }
  return 0;
}

// expect: unsafe
// A jump passes by the declaration: the variable has any value.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    int x = 3;
  case 1:
    assert(x != 7);
  }
  return 0;
}

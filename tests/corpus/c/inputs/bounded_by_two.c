// expect: unsafe
// What one condition says of two inputs divides neither: 7 fails where the flag is set, and 3 does not.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  _Bool flag = __VERIFIER_nondet_bool();
  if (!(n < 5 && flag)) {
    if (flag) assert(0);
  }
  return 0;
}

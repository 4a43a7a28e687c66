// expect: unsafe
// A local without a value, and the result of a function that ends without a `return`, are any value.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int f(int x) {
  if (x) return 1;
}
int main(void) {
  int x = x;
  int y = f(__VERIFIER_nondet_int());
  if (x == 7 && y == 8) assert(0);
  return 0;
}

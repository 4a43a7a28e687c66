// expect: unsafe
// unknown: symbolic
// Values of an argument that are told apart before a recursive call belong to the path.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int found;
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
void down(int n) {
  if (n == 0) return;
  if (n == 3) found = 1;
  down(n - 1);
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  down(n);
  assert(!found || fib(n) != 3);
  return 0;
}

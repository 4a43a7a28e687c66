// expect: safe
// unknown: explicit
// options: --property no-uninitialised-read
// A function that does not return gives no value.
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
static void end(void) { exit(1); }
int main(void) {
  int x;
  if (__VERIFIER_nondet_int() > 0)
    x = 1;
  else
    end();
  return x;
}

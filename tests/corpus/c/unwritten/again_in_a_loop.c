// expect: unsafe
// unknown: symbolic
// What a local array of a loop was in one round is not what it is in the next one.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), t = 0, old = 0;
  if (n < 0 || n > 7) return 0;
  for (int i = 0; i < 3; i++) { char buf[8]; if (i == 1) old = buf[n]; if (i == 2 && buf[n] != old) t = 1; buf[n] = 'x'; if (i == 2 && buf[(n + 1) & 7] == 'q') t++; }
  assert(t < 2);
  return 0;
}

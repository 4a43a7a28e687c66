// expect: safe
// unknown: symbolic
// options: --property no-leak
// The structure ends with its block, but what it held is held elsewhere, or freed before.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct holder { int *held; };
int main(void) {
  int *kept = NULL;
  for (int i = 0; i < 2; i++) {
    struct holder h = {malloc(4)};
    if (i == 0)
      kept = h.held;
    else
      free(h.held);
  }
  *kept = 1;
  free(kept);
  return 0;
}

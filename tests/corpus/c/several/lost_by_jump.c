// expect: unsafe
// unknown: symbolic
// options: --property no-leak
// A jump leaves the block of the array that held the object.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  {
    int *held[2] = {malloc(4), NULL};
    if (__VERIFIER_nondet_int())
      goto end;
    free(held[0]);
  }
end:
  for (volatile int i = 0; i < 2; i++)
    ;
  return 0;
}

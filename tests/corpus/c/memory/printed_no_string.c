// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char text[3] = {'a', 'b', 0};
  if (__VERIFIER_nondet_int()) text[2] = 'c';
  printf("%d %s\n", 1, text);
  return 0;
}

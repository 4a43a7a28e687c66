// expect: safe
// unknown: explicit, symbolic
// options: --property array-bounds
// Arrays at the end of a structure, with more room than they are declared with; and what is asked only under a condition.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct text {
  int length;
  char bytes[1];
};
struct pair {
  int of[2];
  int other;
};
int main(void) {
  struct text *t = malloc(sizeof *t + 4);
  t->bytes[4] = 0;
  free(t);
  struct pair p = {{1, 2}, 3};
  int n = __VERIFIER_nondet_int();
  if (n > 2)
    n = 2;
  int found = n >= 0 && n < 2 && p.of[n] == 1;
  int *place = n >= 0 ? &p.of[n] : 0;
  return found + (place != 0);
}

// expect: safe
// unknown: explicit, symbolic
// A function that is called again finds nothing that its activation before left in its locals.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char s[] = "a,b";
  s[1] = __VERIFIER_nondet_int() ? ',' : 'x';
  int n = 0;
  for (char *t = strtok(s, ","); t; t = strtok(0, ",")) n++;
  assert(n <= 2);
  return 0;
}

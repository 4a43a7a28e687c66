// expect: safe
// unknown: bounded, explicit, symbolic
// options: --property valid-deref
// Where an element is valid at each index, no index needs to be told apart.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0) return 0;
  int *a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int most = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[most]) most = i;
  int result = a[most];
  free(a);
  return result;
}

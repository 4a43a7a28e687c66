// expect: unsafe
// unknown: symbolic
// options: --property valid-deref
// The last round is one too many.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0) return 0;
  int *a = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int most = 0;
  for (int i = 1; i <= n; i++)
    if (a[i] > a[most]) most = i;
  int result = a[most];
  free(a);
  return result;
}

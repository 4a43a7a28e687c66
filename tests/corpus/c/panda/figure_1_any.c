// expect: safe
// unknown: explicit, symbolic, bounded
// Figure 1 of PANDA with an array of any length: the first element above a limit is found, or none.
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int find(int *a, int n, int t) { for (int j = 0; j < n; j++) if (a[j] > t) return j; return n; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  int *a = malloc(n * sizeof(int));
  if (!a) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int i = find(a, n, 10);
  assert(i == n || a[i] > 10);
  return 0;
}

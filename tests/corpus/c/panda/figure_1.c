// expect: safe
// unknown: explicit, symbolic
// Figure 1 of PANDA: the first element above a limit is found, or none.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int find_greater(int *a, int length, int t) {
  for (int j = 0; j < length; j++)
    if (a[j] > t) return j;
  return length;
}
int main(void) {
  int a[10];
  for (int i = 0; i < 10; i++) a[i] = __VERIFIER_nondet_int();
  int i = find_greater(a, 10, 10);
  assert(i == 10 || a[i] > 10);
  return 0;
}

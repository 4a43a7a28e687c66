// expect: safe
// unknown: symbolic
// options: --property assert,array-bounds
// The last index of every array that is part of an object, and addresses past the last element.
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct in { int n; char nm[4]; };
struct s { char name[4]; int after; struct in i; int m[2][3]; struct in tail; };
struct hack { int n; char d[1]; };
int main(void) {
  struct s s; memset(&s, 0, sizeof s);
  int k = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (k < 0 || k > 3 || j < 0 || j >= 2) return 0;
  s.name[k] = 1;
  s.i.nm[k] = 2;
  s.m[j][k % 3] = 3;
  int *end = s.m[j + 1];
  for (int *p = s.m[0]; p < end; p++) *p = 4;
  char *q = &s.name[k + 1]; q[-1] = 0;
  int a[2][3] = {{0}}; a[j][k % 3] = 1; int (*r)[3] = &a[j]; (*r)[k % 3] = 2; r[0][2] = 1;
  if (k > 2 && j) assert(s.m[1][2] == 4);
  s.tail.nm[k] = 1;
  return 0;
}

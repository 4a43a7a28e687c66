// expect: unsafe
// unknown: cegar, explicit, symbolic
// An element is written between the sums.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
short a[4];
int main(void) {
  long long sum = 0;
  int i, n = 4;
  for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < n; i++) sum = sum + a[i];
  a[__VERIFIER_nondet_int() & 3] = 7;
  for (i = 0; i < n; i++) sum = sum - a[i];
  if (sum != 0) reach_error();
}

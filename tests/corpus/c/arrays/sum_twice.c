// expect: safe
// unknown: bounded, explicit, symbolic
// The same sum, added and taken away.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
short a[30000];
int main(void) {
  long long sum = 0;
  int i, n = __VERIFIER_nondet_int();
  if (n < 1 || n > 30000) return 0;
  for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < n; i++) sum = sum + a[i];
  for (i = 0; i < n; i++) sum = sum - a[i];
  if (sum != 0) reach_error();
}

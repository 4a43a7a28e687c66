// expect: unsafe
// unknown: cegar, symbolic
// The second sum is of other elements: its bound has changed.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[5];
int main(void) {
  int i, n = 5, sum = 0;
  for (i = 0; i < 5; i++) a[i] = i;
  for (i = 0; i < n; i++) sum = sum + a[i];
  n = 4;
  for (i = 0; i < n; i++) sum = sum - a[i];
  if (sum != 0) reach_error();
}

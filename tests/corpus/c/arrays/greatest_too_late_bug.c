// expect: unsafe
// unknown: symbolic
// The last element is not looked at.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 1000) return 0;
  int a[n], greatest = 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n - 1; i++)
    if (a[i] > greatest) greatest = a[i];
  for (int i = 0; i < n; i++)
    if (a[i] > greatest) reach_error();
}

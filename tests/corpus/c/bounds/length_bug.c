// expect: unsafe
// options: --property array-bounds
// A length that is computed can be zero.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 5) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = i;
  return 0;
}

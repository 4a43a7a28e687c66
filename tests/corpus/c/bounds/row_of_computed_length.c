// expect: unsafe
// options: --property array-bounds
// The index is past the row, and inside of the array of rows.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 3)
    return 0;
  int m[n][n];
  m[1][0] = 5;
  m[0][n] = 1;
  return m[1][0];
}

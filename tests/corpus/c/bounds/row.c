// expect: unsafe
// options: --property array-bounds
// The access goes on in the next row.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int m[2][3] = {{0}};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3)
    return 0;
  return m[0][n];
}

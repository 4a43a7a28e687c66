// expect: unsafe
// unknown: cegar, explicit, symbolic
// options: --property no-overflow
// Sums of products of small numbers: the greatest products overflow.
extern int __VERIFIER_nondet_int(void);
#define N 2
static void multiply(int r[N][N], const int a[N][N], const int b[N][N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int sum = 0;
      for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
      r[i][j] = sum;
    }
}
int main(void) {
  int a[N][N], b[N][N], product[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = __VERIFIER_nondet_int();
      b[i][j] = __VERIFIER_nondet_int();
      if (a[i][j] < -50000 || a[i][j] > 50000 || b[i][j] < -50000 || b[i][j] > 50000) return 0;
    }
  multiply(product, a, b);
  return 0;
}

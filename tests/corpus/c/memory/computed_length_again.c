// expect: unknown
// options: --property valid-deref
// The jump back ends the array, which is then used; that it is not is taken for granted.
extern void reach_error(void);
static void fill(int *a, int n, int v) {
  for (int i = 0; i < n; i++)
    a[i] = v;
}
int main(void) {
  int n = 2, *before = 0;
back:;
  int a[n];
  fill(a, n, n);
  if (!before) {
    before = a;
    n = 3;
    goto back;
  }
  return *before;
}

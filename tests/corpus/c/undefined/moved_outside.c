// expect: unsafe
// options: --property no-undefined-expression
// The pointer is moved behind the end of the array, and back.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[3] = {0}, n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4)
    return 0;
  int *p = a + n;
  p--;
  return p == a;
}

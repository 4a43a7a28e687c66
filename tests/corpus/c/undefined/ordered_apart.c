// expect: unsafe
// options: --property no-undefined-expression
// Objects have no order.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[2], b[2];
  int *p = __VERIFIER_nondet_int() ? a : b;
  return p < a + 1;
}

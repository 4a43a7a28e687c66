// expect: safe
// unknown: symbolic
// options: --property no-undefined-expression
// The elements differ.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[2] = {0}, i = __VERIFIER_nondet_int() ? 1 : 0;
  int *p = &a[i], *q = &a[1 - i];
  *p = *q = 1;
  return *p - 1;
}

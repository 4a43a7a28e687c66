// expect: unsafe
// options: --property no-undefined-expression
// Objects have no distance.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x[4], y[4];
  int *p = __VERIFIER_nondet_int() ? x : y;
  return (int)(p - x);
}

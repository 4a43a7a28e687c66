// expect: unsafe
// unknown: symbolic
// options: --property no-undefined-expression
// The pointer is to the variable.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = 1;
  int *p = __VERIFIER_nondet_int() ? &x : &y;
  *p = x++;
  return *p;
}

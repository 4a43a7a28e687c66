// expect: unsafe
// unknown: symbolic
// The counterexample has hundreds of thousands of steps: it is found by execution, not by formulas.

extern void __VERIFIER_error(void);

int fibonacci(int n) {
  if (n < 1) {
    return 0;
  }
  if (n == 1) {
    return 1;
  }
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  if (fibonacci(24) == 46368) {
    __VERIFIER_error();
  }
  return 0;
}

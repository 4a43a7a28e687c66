// expect: unsafe
// options: --property no-undefined-arithmetic
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -4 || n > 4)
    return 0;
  return 12 / (n - 3);
}

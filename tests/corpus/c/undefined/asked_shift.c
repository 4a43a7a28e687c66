// expect: unsafe
// options: --property no-undefined-arithmetic
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 32)
    return 0;
  return (int)(1u >> n);
}

// expect: unsafe
// unknown: symbolic
// options: --property no-undefined-expression
// The function takes no argument.
extern int __VERIFIER_nondet_int(void);
static int other(void) { return 1; }
static int twice(int x) { return x + x; }
int main(void) {
  int (*p)(int) = __VERIFIER_nondet_int() ? (int (*)(int))other : twice;
  return p(3);
}

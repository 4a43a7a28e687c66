// expect: unsafe
// options: --property no-undefined-expression
// The operand that is not always evaluated makes it undefined where it is.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0, c = __VERIFIER_nondet_int();
  return i++ + (c > 5 ? i : 0);
}

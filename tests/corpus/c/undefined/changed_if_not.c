// expect: safe
// unknown: explicit
// options: --property no-undefined-expression
// The operand that would make it undefined is not evaluated.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0, c = __VERIFIER_nondet_int();
  if (c > 5)
    c = 5;
  return i++ + (c > 5 ? i : 0);
}

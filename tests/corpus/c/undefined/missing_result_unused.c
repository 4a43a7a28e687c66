// expect: safe
// unknown: explicit
// options: --property no-undefined-expression
// Nobody looks at the result that is missing.
extern int __VERIFIER_nondet_int(void);
static int seen;
static int note(int n) {
  if (n > 0)
    return 1;
  seen = n;
}
int main(void) {
  note(__VERIFIER_nondet_int());
  return 0;
}

// expect: unsafe
// options: --property no-undefined-expression
// The result is used, and there is none.
extern int __VERIFIER_nondet_int(void);
static int sign(int n) {
  if (n > 0)
    return 1;
  if (n < 0)
    return -1;
}
int main(void) { return sign(__VERIFIER_nondet_int()) > 5; }

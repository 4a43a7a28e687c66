// expect: safe
// unknown: explicit, symbolic
// options: --property no-undefined-expression
// The structure that is missing is not used.
struct pair { int a, b; };
extern int __VERIFIER_nondet_int(void);
static struct pair made(int n) {
  struct pair p = {n, 1};
  if (n > 0)
    return p;
}
int main(void) {
  made(__VERIFIER_nondet_int());
  return 0;
}

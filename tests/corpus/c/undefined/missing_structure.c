// expect: unsafe
// options: --property no-undefined-expression
// The structure is used, and there is none.
struct pair { int a, b; };
extern int __VERIFIER_nondet_int(void);
static struct pair made(int n) {
  struct pair p = {n, 1};
  if (n > 0)
    return p;
}
int main(void) {
  struct pair p = made(__VERIFIER_nondet_int());
  return p.a > 5;
}

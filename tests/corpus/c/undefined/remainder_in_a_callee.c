// expect: unknown
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static unsigned rest(unsigned n, unsigned m) { return n % m; }
int main(void) {
  int m = __VERIFIER_nondet_int();
  __VERIFIER_assume(m >= 0 && m <= 3);
  return rest(7, (unsigned)m) > 9;
}

// expect: unsafe
// options: --property no-uninitialised-read
// The second condition is weaker than the first.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x, c = __VERIFIER_nondet_int();
  if (c > 0)
    x = c;
  return c >= 0 ? x : 0;
}

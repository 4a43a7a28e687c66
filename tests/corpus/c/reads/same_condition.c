// expect: safe
// unknown: explicit
// options: --property no-uninitialised-read
// The variable is read only where it was given a value.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x, c = __VERIFIER_nondet_int();
  if (c > 0)
    x = c;
  if (c > 0 && x > 0)
    return x;
  return 0;
}

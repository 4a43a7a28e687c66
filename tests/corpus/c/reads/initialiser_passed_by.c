// expect: unsafe
// options: --property no-uninitialised-read
// The jump to the case passes by the first value.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    int x = 5;
  case 0:
    return x;
  }
  return 0;
}

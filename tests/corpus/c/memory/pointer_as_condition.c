// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
// An engine that keeps no pointers must not take what it does not know for a counterexample.
int g;
int main(void) {
  int *p = &g;
  *p = 1;
  if (p == 0) return 1;
  return 0;
}

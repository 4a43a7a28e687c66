// expect: unsafe
// unknown: explicit, symbolic
// The branch depends on two unknowns: a model gives both of them their values.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x > 10 && y == 3 * x + 1 && y < 50) {
    if (x == 16) reach_error();
  }
  return 0;
}

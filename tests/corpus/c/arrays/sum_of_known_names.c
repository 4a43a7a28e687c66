// expect: safe
// unknown: bounded, explicit, symbolic
// The bound of the sums and a factor have names that a verifier could give the sum itself.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[30000];
int main(void) {
  int i, s = 0, value = __VERIFIER_nondet_int(), known = __VERIFIER_nondet_int();
  if (value < 1 || value > 30000) return 0;
  for (i = 0; i < value; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < value; i++) s = s + a[i] * known;
  for (i = 0; i < value; i++) s = s - a[i] * known;
  if (s != 0) reach_error();
}

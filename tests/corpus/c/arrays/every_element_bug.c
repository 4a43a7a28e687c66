// expect: unsafe
// unknown: cegar, explicit, symbolic
// One element is written again: that no element is tracked there must not hide it.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
int a[200];
int main(void) {
  int i;
  for (i = 0; i < 200; i++) a[i] = 0;
  a[__VERIFIER_nondet_int() ? 7 : 150] = 1;
  for (i = 0; i < 200; i++) check(a[i] == 0);
}

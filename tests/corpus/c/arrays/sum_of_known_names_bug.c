// expect: unsafe
// The bound of the sums and a factor have names that a verifier could give the sum itself.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[6];
int main(void) {
  int i, s = 0, value = 3, known = 1;
  if (__VERIFIER_nondet_int()) value = 2;
  for (i = 0; i < 6; i++) a[i] = i + 1;
  for (i = 0; i < value; i++) s = s + a[i] * known;
  value = value + 1;
  for (i = 0; i < value; i++) s = s - a[i] * known;
  if (s != 0) reach_error();
}

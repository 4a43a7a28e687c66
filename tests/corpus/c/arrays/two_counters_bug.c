// expect: unsafe
// unknown: cegar, symbolic
// The second counter starts at one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[8], b[12];
int main(void) {
  int i, j = 1;
  for (i = 0; i < 12; i++) b[i] = __VERIFIER_nondet_int();
  for (i = 1; i < 12; i += 2) { a[j] = b[i]; j++; }
  for (j = 0; j < 6; j++) if (a[j] != b[2 * j + 1]) reach_error();
}

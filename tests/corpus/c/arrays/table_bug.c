// expect: unsafe
// unknown: cegar, explicit, symbolic
// The last column is left out.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[4][3], b[4][3];
int main(void) {
  int i, j;
  for (i = 0; i < 4; i++)
    for (j = 0; j < 3; j++) { a[i][j] = __VERIFIER_nondet_int(); }
  for (i = 0; i < 4; i++)
    for (j = 0; j < 2; j++) b[i][j] = a[i][j];
  for (i = 0; i < 4; i++)
    for (j = 0; j < 3; j++) if (b[i][j] != a[i][j]) reach_error();
}

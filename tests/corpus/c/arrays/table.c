// expect: safe
// unknown: bounded, explicit, symbolic
// A table, written and read row by row: loops inside loops.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[1000][300], b[1000][300];
int main(void) {
  int i, j;
  for (i = 0; i < 1000; i++)
    for (j = 0; j < 300; j++) { a[i][j] = __VERIFIER_nondet_int(); }
  for (i = 0; i < 1000; i++)
    for (j = 0; j < 300; j++) b[i][j] = a[i][j];
  for (i = 0; i < 1000; i++)
    for (j = 0; j < 300; j++) if (b[i][j] != a[i][j]) reach_error();
}

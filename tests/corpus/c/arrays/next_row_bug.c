// expect: unsafe
// unknown: symbolic
// The inner loop writes into the next row: an iteration of the outer loop is not the only one that meets an element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[30];
int main(void) {
  int i, j;
  for (i = 0; i < 5; i++)
    for (j = 0; j < 6; j++) a[i * 5 + j] = i;
  for (i = 0; i < 5; i++)
    for (j = 0; j < 5; j++) if (a[i * 5 + j] > 3) reach_error();
}

// expect: safe
// unknown: bounded, explicit, symbolic
// Groups of three elements, written by a loop inside.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[30000];
int main(void) {
  int i, j;
  for (i = 1; i <= 10000; i++)
    for (j = 3; j >= 1; j--) if (j >= 2) a[i * 3 - j] = j; else a[i * 3 - j] = 0;
  for (i = 0; i < 30000; i++) if (!(a[i] >= 2 || a[i] == 0)) reach_error();
}

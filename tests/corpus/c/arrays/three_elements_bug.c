// expect: unsafe
// unknown: explicit, symbolic
// A condition on three elements, of which at most two are tracked.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100];
int main(void) {
  int i;
  for (i = 0; i < 100; i++) a[i] = i;
  for (i = 1; i < 99; i++) if (!(a[i - 1] + a[i] + a[i + 1] < 290)) reach_error();
}

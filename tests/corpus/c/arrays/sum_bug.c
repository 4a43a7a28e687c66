// expect: unsafe
// unknown: cegar, explicit, symbolic
// A sum is made of more elements than are tracked: its failure counts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100];
int main(void) {
  int i, sum = 0;
  for (i = 0; i < 100; i++) a[i] = 1;
  for (i = 0; i < 100; i++) sum += a[i];
  if (sum == 100 && __VERIFIER_nondet_int()) reach_error();
}

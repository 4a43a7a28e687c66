// expect: safe
// unknown: explicit, symbolic, bounded
// The greatest and the least element of an array of any size: no iteration lets the one fall or the other rise.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 100000) return 0;
  int a[n], greatest, least;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  greatest = a[0];
  least = a[0];
  for (int i = 1; i < n; i++) {
    if (a[i] > greatest) greatest = a[i];
    if (!(a[i] >= least)) least = a[i];
  }
  for (int i = 0; i < n; i++)
    if (a[i] > greatest || a[i] < least) reach_error();
}

// expect: safe
// unknown: explicit, symbolic, bounded
// The first element that is greater than a number is.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[1000];
int main(void) {
  int i, k = -1, x = __VERIFIER_nondet_int();
  for (i = 0; i < 1000; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < 1000; i++)
    if (a[i] > x) {
      k = i;
      break;
    }
  if (k >= 0 && !(a[k] > x)) reach_error();
}

// expect: unsafe
// unknown: cegar, symbolic
// What looks like the greatest element of an array falls where an element is 7.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n <= 0 || n > 1000) return 0;
  int a[n], greatest;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  greatest = a[0];
  for (int i = 0; i < n; i++) {
    int floor = a[i] == 7 ? -5 : greatest;
    greatest = floor;
    if (a[i] > greatest) greatest = a[i];
  }
  for (int i = 0; i < n; i++)
    if (a[i] > greatest) reach_error();
}

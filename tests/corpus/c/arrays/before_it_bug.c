// expect: unsafe
// unknown: cegar, symbolic
// The element before is written last.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[6];
static int choose(void) { int x = __VERIFIER_nondet_int(); return x > 0 ? x : 1; }
int main(void) {
  int i;
  for (i = 0; i < 6; i++) {
    a[i] = choose();
    if (i - 1 >= 0) a[i - 1] = -1;
  }
  for (i = 0; i < 6; i++) if (!(a[i] > 1 || a[i] == 1)) reach_error();
}

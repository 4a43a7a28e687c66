// expect: safe
// unknown: bounded, explicit, symbolic
// The element before is written where there is one, and what is chosen by a call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100000];
static int choose(void) { int x = __VERIFIER_nondet_int(); return x > 0 ? x : 1; }
int main(void) {
  int i;
  for (i = 99999; i >= 0; i--) {
    if (i - 1 >= 0) a[i - 1] = -1;
    a[i] = choose();
  }
  for (i = 0; i < 100000; i++) if (!(a[i] > 1 || a[i] == 1)) reach_error();
}

// expect: safe
// unknown: explicit, symbolic, bounded
// Every element of one array is that of another one, through a function that is given both.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int condition) {
  if (!condition) reach_error();
}
static void copy(int *to, const int *from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];
}
int a[100000], b[100000];
int main(void) {
  int i;
  for (i = 0; i < 100000; i++) a[i] = __VERIFIER_nondet_int();
  copy(b, a, 100000);
  for (i = 0; i < 100000; i++) check(a[i] == b[i]);
}

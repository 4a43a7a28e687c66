// expect: safe
// unknown: bounded, explicit, symbolic
// Structures are copied at indices that are inputs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { int a; long b; char c; };
struct s t[200];
int main(void) {
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i >= 200 || j < 0 || j >= 200 || i == j) return 0;
  t[i].a = 1, t[i].b = 2, t[i].c = 3, t[j].a = 9;
  struct s x = t[i];
  if (x.a != 1 || x.b != 2 || x.c != 3) reach_error();
  t[j] = x;
  if (t[j].a != 1 || t[i].a != 1) reach_error();
}

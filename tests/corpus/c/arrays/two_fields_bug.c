// expect: unsafe
// unknown: symbolic
// The cell of `s` can be at `f` or `g`: its index counts half as much as that of `a`.
extern unsigned __VERIFIER_nondet_uint(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
struct S { int f, g; } s[6];
int a[6];
static void check(int holds) { if (!holds) __assert_fail("c", "f", 1, "m"); }
int main(void) {
  unsigned u = __VERIFIER_nondet_uint();
  if (u > 5) return 0;
  int x = s[u].g;
  for (int i = 1; i < 4; i++) a[i] = 3;
  for (int i = 2; i < 3; i++) check(s[i].f == a[i]);
  return x;
}

// expect: safe
// unknown: explicit, symbolic, bounded
// The square of a number is not negative where it cannot wrap, either for its type or for what is known on the way.
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

int main(void) {
  int number = __VERIFIER_nondet_int();
  long long wide = number;
  if (wide * wide < 0) __assert_fail("wide", "square.c", 10, "main");
  return 0;
}

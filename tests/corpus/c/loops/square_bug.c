// expect: unsafe
// unknown: explicit
// The square of a number is negative where it wraps.
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

int main(void) {
  int number = __VERIFIER_nondet_int();
  if (number * number < 0) __assert_fail("number", "square.c", 8, "main");
  return 0;
}

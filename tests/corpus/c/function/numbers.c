// expect: safe
// unknown: explicit, panda
// options: --function least
// Numbers are any of their types; there is nothing else to assume.
void __assert_fail(const char *, const char *, unsigned, const char *);

static int least(int a, short b) {
  int result = a < b ? a : b;
  if (result > a || result > b)
    __assert_fail("", "", 0, "");
  return result;
}

// expect: unsafe
// unknown: symbolic, panda
// options: --function swap
// Two arguments can be the same object.
extern void abort(void);
void __assert_fail(const char *, const char *, unsigned, const char *);

void swap(int *a, int *b) {
  if (!a || !b || *a == 0)
    return;
  *a = *a + *b;
  *b = *a - *b;
  *a = *a - *b;
  if (*a == 0 && *b == 0)
    __assert_fail("", "", 0, "");
}

// expect: unsafe
// options: --property valid-memsafety
static int twice(int x) { return 2 * x; }
int main(void) {
  int (*p)(int) = 0;
  int y = p(3);
  p = twice;
  return p(y);
}

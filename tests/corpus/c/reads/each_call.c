// expect: unsafe
// unknown: symbolic
// options: --property no-uninitialised-read
// Each activation has a variable of its own.
static int f(int n) {
  int r;
  if (n == 0)
    return r;
  r = 1;
  return f(n - 1) + r;
}
int main(void) { return f(1); }

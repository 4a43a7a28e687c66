// expect: unsafe
// options: --property no-uninitialised-read
// The value is gone each time that the declaration is reached.
int main(void) {
  int n = 0;
again:;
  int x;
  if (n == 0)
    x = 1;
  n++;
  if (n < 3) {
    x++;
    goto again;
  }
  return x;
}

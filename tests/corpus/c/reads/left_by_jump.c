// expect: unsafe
// options: --property no-uninitialised-read
// The second life of the variable begins without the value of the first.
int main(void) {
  int n = 0;
start:
  if (n)
    goto inside;
  {
    int x = 1;
    n = 1;
    if (x)
      goto start;
  inside:
    return x;
  }
}

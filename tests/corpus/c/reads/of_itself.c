// expect: unsafe
// options: --property no-uninitialised-read
// The first value is the one that the variable does not have.
int main(void) {
  int x = x;
  return x;
}

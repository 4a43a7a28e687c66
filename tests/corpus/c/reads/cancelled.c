// expect: unsafe
// options: --property no-uninitialised-read
// That the value does not matter does not matter.
int main(void) {
  int x;
  return x * 0;
}

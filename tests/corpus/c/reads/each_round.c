// expect: unsafe
// options: --property no-uninitialised-read
// What the body declares has no value when a round begins.
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 0)
      x = 1;
    sum += x;
  }
  return sum;
}

// expect: safe
// options: --property no-uninitialised-read
// An operand that is not evaluated is not read, nor is one whose value is thrown away.
int main(void) {
  int x;
  (void)x;
  return (1 || x) - (int)(sizeof x == sizeof(int));
}

// expect: unsafe
// options: --property no-undefined-expression
// Nothing orders the arguments.
static int first(int a, int b) { return a + 0 * b; }
int main(void) {
  int i = 1;
  return first(i, i++);
}

// expect: unsafe
// options: --property no-undefined-expression
// Nothing orders the assignment and the increment.
int main(void) {
  int i = 0;
  i = i++ + 1;
  return i;
}

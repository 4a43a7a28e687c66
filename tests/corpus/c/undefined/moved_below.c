// expect: unsafe
// unknown: symbolic
// options: --property no-undefined-expression
// The loop ends with a pointer in front of the array.
int main(void) {
  int a[3] = {1, 2, 3}, sum = 0;
  for (int *p = a + 2; p >= a; p--)
    sum += *p;
  return sum;
}

// expect: safe
// unknown: symbolic
// options: --property no-undefined-expression
// The end of an array is no element, but a place for a pointer.
int main(void) {
  int a[3] = {1, 2, 3}, sum = 0;
  for (int *p = a, *end = &a[3]; p < end; p++)
    sum += *p;
  return sum - 6;
}

// expect: safe
// unknown: symbolic
// options: --property array-bounds
// The end of the array is no element of it, but a place for a pointer.
struct pair { int a[2]; int b; };
int main(void) {
  struct pair s = {{1, 2}, 3};
  int sum = 0;
  for (int *p = s.a, *end = &s.a[2]; p < end; p++)
    sum += *p;
  return sum - 3;
}

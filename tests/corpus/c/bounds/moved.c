// expect: unsafe
// options: --property array-bounds
// The pointer is behind the end of the array, although inside the structure.
struct pair { int a[2]; int b, c; };
int main(void) {
  struct pair s = {{1, 2}, 3, 4};
  int *p = &s.a[3];
  return p == s.a;
}

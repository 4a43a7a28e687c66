// expect: safe
// unknown: symbolic
// options: --property valid-deref
// The access lies inside its object.
int main(void) {
  struct { int a[2]; int b; } s = {{1, 2}, 3};
  int n = 2;
  return s.a[n];
}

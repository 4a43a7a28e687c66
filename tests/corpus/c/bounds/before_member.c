// expect: unsafe
// options: --property array-bounds
// One before the array is in the structure, and in another member.
struct pair { int a[2], b[2], c; };
int main(void) {
  struct pair p = {{1, 2}, {3, 4}, 5};
  return *(p.b - 1);
}

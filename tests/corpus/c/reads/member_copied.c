// expect: unsafe
// unknown: symbolic
// options: --property no-uninitialised-read
// A copy of a structure leaves a member without a value.
struct pair { int a, b; };
int main(void) {
  struct pair p, q;
  p.a = 1;
  q = p;
  return q.a + q.b;
}

// expect: unsafe
// unknown: symbolic
// options: --property no-uninitialised-read
// One member has a value, the other one has none.
struct pair { int a, b; };
int main(void) {
  struct pair p;
  p.a = 1;
  return p.b;
}

// expect: safe
// unknown: symbolic
// options: --property no-uninitialised-read
// All that is read of the structures was given to them.
struct pair { int a, b : 3; };
struct both { struct pair first, second; };
static struct pair made(int a) {
  struct pair p = {a, 1};
  return p;
}
int main(void) {
  struct both x, y;
  x.first.a = 1;
  x.second = made(2);
  y = x;
  return y.first.a + y.second.b;
}

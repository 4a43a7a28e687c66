// expect: safe
// unknown: symbolic
// options: --property no-uninitialised-read
// All that is read of the copy had a value.
struct pair { unsigned a, b; };
int main(void) {
  struct pair first;
  first.a = 1;
  struct pair second = first;
  second.b = 2;
  struct pair third = second;
  return third.a + third.b > 5;
}

// expect: unsafe
// options: --property no-uninitialised-read
// What has no value has none in the copy that another object begins with.
struct pair { unsigned a, b; };
int main(void) {
  struct pair first;
  first.a = 1;
  struct pair second = first;
  return second.b > 5;
}

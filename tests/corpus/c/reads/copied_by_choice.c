// expect: unsafe
// options: --property no-uninitialised-read
// What has no value has none in the copy of one of two objects.
struct pair { int a, b; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct pair first, second = {1, 2}, copy;
  first.a = 1;
  int c = __VERIFIER_nondet_int();
  copy = c ? first : second;
  return copy.b;
}

// expect: safe
// unknown: symbolic
// options: --property no-uninitialised-read
// Both objects have a value where they are copied.
struct pair { int a, b; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct pair first, second = {1, 2};
  int c = __VERIFIER_nondet_int();
  if (c)
    first = second;
  struct pair copy = c ? first : second;
  return copy.b;
}

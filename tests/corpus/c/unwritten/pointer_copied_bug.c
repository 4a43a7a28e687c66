// expect: unsafe
// unknown: symbolic, panda
// A copy of what was never written may be null, too.
#include <assert.h>
struct pair { int *first; int *second; };
int main(void) {
  int number = 1;
  struct pair from, to;
  from.first = &number;
  to = from;
  assert(to.first == &number);
  assert(to.second);
  return 0;
}

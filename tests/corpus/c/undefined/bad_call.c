// expect: unknown
#include <assert.h>
static int twice(int x) { return 2 * x; }
static int other(void) { return 1; }
int main(void) {
  int (*p)(int) = (int (*)(int))other;
  int (*q)(int) = twice;
  assert(p(3) == q(4));
  return 0;
}

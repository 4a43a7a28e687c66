// expect: unknown
#include <assert.h>
static int twice(int x) { return 2 * x; }
int main(void) {
  int (*p)(int) = 0;
  int y = p(3);
  assert(y == 12345);
  p = twice;
  return p(0);
}

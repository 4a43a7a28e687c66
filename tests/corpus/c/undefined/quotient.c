// expect: unknown
// The least number divided by -1 traps.
#include <assert.h>
#include <limits.h>
int main(void) {
  int a = INT_MIN, b = -1;
  assert(a % b == 5);
  return 0;
}

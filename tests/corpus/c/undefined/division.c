// expect: unknown
// A division by zero is undefined: nothing is known of what follows.
#include <assert.h>
int main(void) {
  int z = 0;
  int y = 10 / z;
  assert(y == 12345);
  return 0;
}

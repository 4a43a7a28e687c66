// expect: unsafe
// unknown: cegar, symbolic, panda
// The violation needs no result that is open.
#include <assert.h>
#include <math.h>

int main(void) {
  assert(pow(3, 4) == 80);
  return 0;
}

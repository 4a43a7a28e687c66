// expect: unsafe
#include <assert.h>
int main(void) {
  int x = 3;
  x *= x;
  assert(x == 10);
  return 0;
}

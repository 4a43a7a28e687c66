// expect: unknown
#include <assert.h>
int main(void) {
  int n = 33;
  assert((1 << n) == 0);
  return 0;
}

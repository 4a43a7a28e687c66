// expect: unknown
// options: --property assert
// An execution that does what is undefined proves nothing.
#include <assert.h>
int main(void) {
  int i = 0;
  i = i++ + 1;
  assert(i == 1);
  return 0;
}

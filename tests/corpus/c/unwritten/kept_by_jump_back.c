// expect: safe
// unknown: symbolic
// options: --property assert
// A jump inside of the block ends no object's life.
#include <assert.h>
int main(void) {
  for (int i = 0; i < 2; i++) {
    int n = 0;
    int *p = &n;
  again:
    (*p)++;
    if (n < 3)
      goto again;
    assert(n == 3);
  }
  return 0;
}

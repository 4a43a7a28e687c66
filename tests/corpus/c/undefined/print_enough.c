// expect: safe
// A width is a value of its own, a percent sign takes none, and more values than needed do no harm.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 1;
  printf("%d %*d 100%%\n", n, n, n, n);
  assert(n == 1);
  return 0;
}

// expect: unknown
// A format that takes more values than follow is undefined.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 1;
  printf("%d %*d\n", n, n);
  assert(n == 1);
  return 0;
}

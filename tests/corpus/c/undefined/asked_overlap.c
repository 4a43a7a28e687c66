// expect: unsafe
// options: --property no-undefined-expression
// A copy of memory onto itself.
#include <string.h>
int main(void) {
  char a[5] = "abcd";
  memcpy(a + 1, a, 3);
  return 0;
}

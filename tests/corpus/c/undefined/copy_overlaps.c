// expect: unknown
// A copy of memory onto itself is undefined, whichever way the bytes go.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[5] = "abcd";
  memcpy(a + 1, a, 3);
  assert(a[2] == 'b');
  return 0;
}

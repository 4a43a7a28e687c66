// expect: safe
// unknown: symbolic
// Copies to right behind, to right before, of nothing, and to the same place do not overlap.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[6] = "abcde";
  memcpy(a + 2, a, 2);
  memcpy(a, a + 2, 2);
  memcpy(a + 1, a, 0);
  memcpy(a, a, 3);
  memmove(a + 1, a, 3);
  assert(a[1] == 'a' && a[3] == 'a');
  return 0;
}

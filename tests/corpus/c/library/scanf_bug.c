// expect: unsafe
// unknown: symbolic
// The result is not looked at, and the second number may be missing.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int width = 1, height = -1;
  scanf("%dx%d", &width, &height);
  if (width == 640)
    assert(height != -1);
  return 0;
}

// expect: safe
// unknown: explicit, cegar, symbolic, panda
// options: --property valid-memsafety
#include <unistd.h>

int main(void) {
  char text[4];
  long n = read(0, text, sizeof text - 1);
  if (n < 0)
    return 1;
  text[n] = 0;
  return 0;
}

// expect: unsafe
// unknown: symbolic, panda
// options: --property valid-memsafety
// As many bytes are read as the buffer has, and then comes its end.
#include <unistd.h>

int main(void) {
  char text[4];
  long n = read(0, text, sizeof text);
  if (n < 0)
    return 1;
  text[n] = 0;
  return 0;
}

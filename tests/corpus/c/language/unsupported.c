// expect: safe
// unknown: symbolic
// No execution comes to what is not supported.
#include <assert.h>

int half(int n) {
  if (n > 10) {
    long double exact = n;
    return (int)(exact / 2);
  }
  return n / 2;
}

int main(void) {
  assert(half(7) == 3);
  return 0;
}

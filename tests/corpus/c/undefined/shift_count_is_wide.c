// expect: unknown
// The number of bits does not wrap to the type of what is shifted.
#include <assert.h>
int main(void) {
  unsigned x = 8;
  unsigned long long n = 4294967297ULL;
  assert(x >> n == 4);
  return 0;
}

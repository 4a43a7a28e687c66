// expect: unknown
// An execution comes to what is not supported, by a jump into the loop.
#include <assert.h>

int main(int argc, char **argv) {
  int n = 0;
  if (argc > 2)
    goto inside;
  while (argc > 5 && (long double)n < 3) {
  inside:
    n = 1;
  }
  assert(n == 0);
  return 0;
}

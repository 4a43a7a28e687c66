// expect: unsafe
// unknown: symbolic
// options: --property assert
// The jump passes by the declaration in the second round.
#include <assert.h>
struct s { int v; };
int main(void) {
  for (int i = 0; i < 2; i++) {
    if (i > 0)
      goto use;
    struct s s = {7};
  use:
    assert(s.v == 7);
  }
  return 0;
}

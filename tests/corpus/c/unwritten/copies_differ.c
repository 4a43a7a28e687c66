// expect: unsafe
// unknown: symbolic
// Copies of different bytes that were never written can differ, and so can copies of one local in two rounds of a loop.
#include <assert.h>
struct pair {
  int number, other;
};
int main(void) {
  struct pair made[2];
  for (int i = 0; i < 2; i++) {
    struct pair one;
    one.number = i;
    made[i] = one;
  }
  assert(made[0].number == 0 && made[1].number == 1);
  assert(made[0].other == made[1].other);
  return 0;
}

// expect: unsafe
// unknown: symbolic
// options: --property assert
// The object of the second round is another one, and nothing wrote to it.
#include <assert.h>
static void put(int *p, int v) { *p = v; }
int main(void) {
  for (int i = 0; i < 2; i++) {
    switch (i) {
      int x;
    case 0:
      put(&x, 5);
      break;
    case 1:
      assert(x == 5);
    }
  }
  return 0;
}

// expect: safe
// unknown: explicit, symbolic
// Formatted input: what was not read stays as it was, and what did not fit is still there.
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 7, m = 8, r = scanf("%d", &n);
  assert(r >= -1 && r <= 1 && (r == 1 || n == 7));
  if (r == 1) {
    /* No digit follows a number. */
    int c = getchar();
    assert(c < '0' || c > '9');
  }
  if (r == 0 && getchar() == 'x')
    assert(scanf(",%2d", &m) != 1 || (m >= -9 && m <= 99));
  char c = 1;
  r = scanf("%c", &c);
  assert(r == 1 || (r == -1 && c == 1));
  return 0;
}

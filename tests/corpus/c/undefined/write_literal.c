// expect: unknown
#include <assert.h>
static void set(char *s) { s[1] = 'x'; }
int main(void) {
  set("abc");
  assert(0 == 1 - 1);
  return 0;
}

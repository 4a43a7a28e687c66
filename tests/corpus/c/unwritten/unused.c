// expect: safe
// What is not read needs no value.
#include <assert.h>
int g;
int f(int x) {
  g = x;
}
int main(void) {
  int x = (int)sizeof x;
  f(x);
  if (x > 2) goto end;
  int y = 3;
  g = y;
end:
  assert(g == x);
  return 0;
}

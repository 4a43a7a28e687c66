// expect: unsafe
// unknown: symbolic
// options: --property no-undefined-expression
// A string is copied onto itself, one byte to the front.
#include <string.h>
int main(void) {
  char s[5] = "abc";
  strcpy(s, s + 1);
  return s[0] - 'b';
}

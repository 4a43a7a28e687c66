// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
#include <string.h>
int main(void) {
  char *s = "abc";
  strcpy(s, "de");
  return 0;
}

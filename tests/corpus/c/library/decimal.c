// expect: safe
// unknown: bounded, cegar, symbolic, panda
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *end;
  const char *text = "12.5e1xyz";
  assert(strtod(text, &end) == 125 && end == text + 6);
  assert(atof("0.1") == 0.1 && atof("-.5") == -0.5 && atof("1e22") == 1e22 && atof("abc") == 0);
  assert(strtof("0.1", 0) == 0.1f && atof("1e") == 1 && atof(".e5") == 0);
  return 0;
}

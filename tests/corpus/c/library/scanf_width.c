// expect: safe
// unknown: explicit, symbolic
// options: --property valid-memsafety
// A width leaves room for the zero.
#include <stdio.h>

int main(void) {
  char word[4];
  int i = 0;
  if (scanf("%3[a-z]", word) == 1)
    while (word[i])
      i++;
  return i;
}

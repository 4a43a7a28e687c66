// expect: unsafe
// unknown: explicit, symbolic
// options: --property valid-memsafety
// A word without a width can be longer than its place.
#include <stdio.h>

int main(void) {
  char word[4];
  return scanf("%s", word) == 1 && word[0] == 'a';
}

// expect: unknown
// A copy of bytes that were never written holds what they hold: no execution fails, whatever that is.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair {
  char tag;
  int number;
};
int main(void) {
  struct pair one = {1, 2}, other;
  memcpy(&other, &one, sizeof one);
  char *text = malloc(4), copy[4];
  memcpy(copy, text, 4);
  assert(memcmp(&one, &other, sizeof one) == 0 && copy[3] == text[3]);
  free(text);
  return 0;
}

// expect: unsafe
// options: --property valid-deref
// unknown: symbolic
// A negative number passes the test.
#include <stdlib.h>

int main(int argc, char **argv) {
  int table[8] = {0};
  if (argc < 2)
    return 1;
  int i = atoi(argv[1]);
  return i < 8 ? table[i] : 0;
}

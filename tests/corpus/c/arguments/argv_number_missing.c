// expect: unsafe
// options: --property valid-deref
// unknown: symbolic
// Without arguments `argv[1]` is null.
#include <stdlib.h>

int main(int argc, char **argv) { return atoi(argv[1]) > 0; }

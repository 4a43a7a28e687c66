// expect: unsafe
// unknown: explicit, symbolic, bounded, cegar, panda
// The text is read besides: it has to be one of that number.
#include <stdlib.h>
void reach_error(void);

int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] == '7' && argv[1][1] == 0 && atoi(argv[1]) == 7)
    reach_error();
  return 0;
}

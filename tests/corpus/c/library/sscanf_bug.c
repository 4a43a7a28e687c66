// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
// The word is longer than its object.
#include <stdio.h>
int main(void) {
    char name[4];
    return sscanf("abcd 1", "%s", name);
}

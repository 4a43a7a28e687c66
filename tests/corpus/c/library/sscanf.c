// expect: safe
// unknown: symbolic
// Values in a text: integers in their bases, widths, words, sets, and what is not there.
#include <assert.h>
#include <stdio.h>
int main(void) {
    int a = 0, b = 0;
    unsigned c = 0;
    char word[8], rest[8];
    assert(sscanf(" 12 -7 0x1F", "%d%d%x", &a, &b, &c) == 3 && a == 12 && b == -7 && c == 31);
    assert(sscanf("ab=345", "%2s=%2d%1d", word, &a, &b) == 3 && word[1] == 'b' && word[2] == 0 && a == 34 && b == 5);
    assert(sscanf("key:value", "%[a-z]:%[^,]", word, rest) == 2 && word[2] == 'y' && rest[4] == 'e' && rest[5] == 0);
    assert(sscanf("x", "%d", &a) == 0 && sscanf("  ", "%d", &a) == -1 && sscanf("1,", "%d,%d", &a, &b) == 1);
    return 0;
}

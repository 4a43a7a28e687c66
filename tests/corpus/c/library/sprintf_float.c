// expect: safe
// unknown: symbolic
// Floating-point numbers as text: rounded to even between two, with exponents, padded.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[32];
    assert(sprintf(text, "%.1f|%5.2f", 0.25, 3.14159) == 9 && strcmp(text, "0.2| 3.14") == 0);
    assert(sprintf(text, "%g %g", 100000.0, 1e-5) == 12 && strcmp(text, "100000 1e-05") == 0);
    assert(snprintf(text, 5, "%e", -1.5) == 13 && strcmp(text, "-1.5") == 0);
    return 0;
}

// expect: safe
// unknown: symbolic
// options: --property assert,no-undefined-arithmetic,valid-deref,array-bounds,valid-free,no-leak
// What the program holds at its end is not lost.
#include <stdlib.h>
int *kept;
static void keep(int *one) {
    kept = one;
}
int main(void) {
    int *own = malloc(sizeof *own);
    *own = 1;
    keep(malloc(4));
    if (*own == 2)
        exit(1);
}

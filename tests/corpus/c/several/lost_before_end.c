// expect: unsafe
// unknown: symbolic
// options: --property no-leak
#include <stdlib.h>
static void work(void) {
    int *own = malloc(sizeof *own);
    *own = 1;
}
int main(void) {
    work();
    return 0;
}

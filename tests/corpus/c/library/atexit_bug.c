// expect: unsafe
// unknown: symbolic
#include <assert.h>
#include <stdlib.h>
static int balance = 1;
static void check(void) {
    assert(balance == 1);
}
int main(void) {
    atexit(check);
    balance = 0;
    return 0;
}

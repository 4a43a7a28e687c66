// expect: safe
// unknown: symbolic
// A second name of a function, and its address.
#include <assert.h>
static int three(void) {
    return 3;
}
int also(void) __attribute__((alias("three")));
int main(void) {
    int (*f)(void) = also;
    assert(also() == 3 && f() == 3);
    return 0;
}

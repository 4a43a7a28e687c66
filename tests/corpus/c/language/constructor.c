// expect: safe
// Functions that run before `main`, by their priorities.
#include <assert.h>
static int order = 0;
__attribute__((constructor)) static void last(void) {
    assert(order == 2);
    order = 3;
}
__attribute__((constructor(201))) static void second(void) {
    assert(order == 1);
    order = 2;
}
void first(void) __attribute__((__constructor__(101)));
void first(void) {
    order = 1;
}
int main(void) {
    assert(order == 3);
    return 0;
}

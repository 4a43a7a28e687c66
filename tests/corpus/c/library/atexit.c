// expect: safe
// unknown: symbolic
// The last one runs first; at `exit` and at the return from `main`, and not at `_exit`.
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void _exit(int status);
static int done = 0;
static void first(void) {
    assert(done == 1);
    done = 2;
}
static void last(void) {
    assert(done == 0);
    done = 1;
}
static void never(void) {
    assert(0);
}
int main(void) {
    atexit(first);
    atexit(last);
    int choice = __VERIFIER_nondet_int();
    if (choice == 1)
        exit(3);
    if (choice == 2) {
        atexit(never);
        _exit(0);
    }
    return 0;
}

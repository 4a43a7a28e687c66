// expect: unsafe
// options: --property assert,unreach-call
// A call of the error function is no assertion where both are asked for, and counts.
#include <assert.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i == 7)
        reach_error();
    assert(i != 7 || i > 0);
    return 0;
}

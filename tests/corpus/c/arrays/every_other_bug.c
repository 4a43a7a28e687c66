// expect: unsafe
// unknown: cegar, symbolic
// The second loop writes what the first one did, once.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[20];

int main(void) {
    int start = __VERIFIER_nondet_int();
    if (start < 0 || start > 3)
        return 0;
    for (int i = 9; i >= 0; i--)
        a[2 * i] = 1;
    for (int i = start; i < 20; i += 3)
        a[i] = 2;
    for (int i = 0; i < 10; i++)
        assert(a[2 * i] == 1);
    return 0;
}

// expect: safe
// unknown: explicit, symbolic, bounded
// Loops that go down, or by more than one, over elements that are two apart.
#include <assert.h>
int a[2000];

int main(void) {
    for (int i = 999; i >= 0; i--)
        a[2 * i] = 1;
    for (int i = 1; i < 2000; i += 2)
        a[i] = 2;
    for (int i = 0; i < 1000; i++)
        assert(a[2 * i] == 1);
    return 0;
}

// expect: unsafe
// The function runs before `main`.
#include <assert.h>
static int count = 0;
__attribute__((constructor)) static void start(void) {
    count = count + 1;
}
int main(void) {
    assert(count == 0);
    return 0;
}

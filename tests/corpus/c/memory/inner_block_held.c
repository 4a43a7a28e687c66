// expect: unknown
// options: --property valid-memsafety
// The pointer is to an object that has ended.
static int *held;
static void hold(int *p) {
    held = p;
}
int main(void) {
    {
        int inner = 1;
        hold(&inner);
    }
    return *held;
}

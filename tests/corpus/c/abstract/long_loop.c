// expect: safe
// unknown: bounded, symbolic, cegar
// options: --property unreach-call
/* tandem: abstract main.i signs */
extern void reach_error(void);
int main(void) {
    int i = 1000000000;
    int seen = 0;
    while (i > 0) {
        seen = 1;
        i--;
    }
    if (!seen || i > 0)
        reach_error();
    return 0;
}

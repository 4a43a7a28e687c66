// expect: safe
// unknown: bounded, symbolic, cegar
// options: --property unreach-call
/* tandem: abstract main.i signs */
// The sign alone does not tell that i is 0 in the end of ten rounds by 3: the abstraction is taken back.
extern void reach_error(void);
int main(void) {
    int i = 30;
    while (i > 0)
        i -= 3;
    if (i != 0)
        reach_error();
    return 0;
}

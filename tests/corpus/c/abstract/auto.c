// expect: safe
// unknown: bounded, symbolic, cegar
// options: --property unreach-call
/* tandem: abstract auto */
// Of i, which only guards the loop, it is kept whether it is less than, equal to or greater than 100000000.
extern void reach_error(void);
int main(void) {
    int flag = 0;
    for (int i = 0; i < 100000000; i++)
        flag = !flag;
    if (flag != 0 && flag != 1)
        reach_error();
    return 0;
}

// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
// Nothing holds a pointer to the objects of the blocks after these.
int __VERIFIER_nondet_int(void);
static void add(int *to, const int *from) {
    *to += *from;
}
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int part = i;
        int all[2] = {i, 1};
        int *at = &all[1];
        add(&part, at);
        sum += part;
    }
    return sum;
}

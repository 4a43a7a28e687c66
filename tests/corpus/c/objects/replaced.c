// expect: safe
// unknown: explicit, symbolic, bounded
// options: --property tests/properties/unreach-call.prp
// An endless loop makes objects, and keeps the last one and the one before it: what nothing leads to is forgotten.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct box {
    int value;
    int spare[2];
};

int main(void) {
    struct box *now = malloc(sizeof *now);
    now->value = 0;
    while (1) {
        struct box *before = now;
        int step = __VERIFIER_nondet_int();
        now = malloc(sizeof *now);
        now->value = step >= 0 && step < 3 && before->value < 100 ? before->value + step : before->value;
        if (now->value < before->value || now->value > 102) {
            reach_error();
        }
    }
}

// expect: safe
// unknown: explicit, bounded, symbolic
// options: --property tests/properties/unreach-call.prp
// Objects without number, and a property of each: one of them, any, is tracked.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct item {
    struct item *next;
    int stock;
    int order;
};

int main(void) {
    struct item *shelf = NULL;
    while (__VERIFIER_nondet_int()) {
        int stock = __VERIFIER_nondet_int();
        if (stock < 0) {
            continue;
        }
        struct item *item = malloc(sizeof *item);
        item->stock = stock;
        item->order = 0;
        item->next = shelf;
        shelf = item;
    }
    for (struct item *item = shelf; item; item = item->next) {
        int order = __VERIFIER_nondet_int();
        if (0 <= order && order <= item->stock) {
            item->order = order;
        }
    }
    for (struct item *item = shelf; item; item = item->next) {
        if (item->order > item->stock) {
            reach_error();
        }
    }
    return 0;
}

// expect: unsafe
// unknown: symbolic, cegar
// options: --property tests/properties/unreach-call.prp
// Objects without number, and a property of each: one of them, any, is tracked.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct node {
    int key;
    struct node *next;
};

/* A write through another pointer. */
int main(void) {
    struct node *list = NULL, *some = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = calloc(1, sizeof *node);
        node->next = list;
        list = node;
        if (__VERIFIER_nondet_int()) {
            some = node;
        }
    }
    if (some) {
        some->key = 7;
    }
    for (struct node *node = list; node; node = node->next) {
        if (node->key != 0) {
            reach_error();
        }
    }
    return 0;
}

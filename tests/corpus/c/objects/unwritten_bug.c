// expect: unsafe
// unknown: symbolic, explicit
// options: --property tests/properties/unreach-call.prp
// Objects without number, and a property of each: one of them, any, is tracked.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct node {
    int key;
    struct node *next;
};

/* Of a node whose link was never written, anything may follow. */
int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->key = 0;
        if (__VERIFIER_nondet_int()) {
            node->next = NULL;
        }
        list = node;
    }
    if (list && list->next && __VERIFIER_nondet_int()) {
        reach_error();
    }
    return 0;
}

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

/* Each node alone is right; two of them differ. */
int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->key = i;
        node->next = list;
        list = node;
    }
    if (list->key != list->next->key) {
        reach_error();
    }
    return 0;
}

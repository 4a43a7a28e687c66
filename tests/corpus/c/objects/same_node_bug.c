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

/* Whether two pointers are to the same node decides. */
int main(void) {
    struct node *list = NULL, *last = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *node = malloc(sizeof *node);
        node->key = i;
        node->next = list;
        list = node;
        if (i == 0) {
            last = node;
        }
    }
    if (list != last && list->next == last) {
        reach_error();
    }
    return 0;
}

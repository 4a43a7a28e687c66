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

/* The condition is made of several reads, one after the other. */
int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->key = 1;
        node->next = list;
        list = node;
    }
    int sum = 0;
    for (struct node *node = list; node; node = node->next) {
        sum += node->key;
    }
    if (sum == 3) {
        reach_error();
    }
    return 0;
}

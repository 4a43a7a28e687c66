// expect: unsafe
// unknown: explicit, symbolic
// options: --property tests/properties/unreach-call.prp
// Nodes that a loop makes without bound: one holds more than is claimed of all.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        if (value < 0 || value > 10) {
            value = 5;
        }
        struct node *node = malloc(sizeof *node);
        node->value = value;
        node->next = head;
        head = node;
    }
    for (struct node *node = head; node; node = node->next) {
        if (node->value < 0 || node->value > 9) {
            reach_error();
        }
    }
    return 0;
}

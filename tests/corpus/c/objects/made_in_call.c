// expect: safe
// unknown: explicit, bounded, symbolic, cegar
// options: --property tests/properties/unreach-call.prp
// Objects without number, and a property of each: one of them, any, is tracked.
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct node {
    int key;
    struct node *next;
};

static void add(struct node **list, int key) {
    struct node *node = malloc(sizeof *node);
    node->next = *list;
    node->key = key;
    *list = node;
}

static void check(int condition) {
    if (!condition) {
        reach_error();
    }
}

int main(void) {
    struct node *list = NULL;
    int base = __VERIFIER_nondet_int();
    if (base < 0 || base > 1000) {
        return 0;
    }
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        if (base <= key && key < base + 10) {
            add(&list, key);
        }
    }
    while (list) {
        check(list->key >= base && list->key <= base + 9);
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}

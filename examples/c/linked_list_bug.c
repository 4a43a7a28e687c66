// A sorted list on the heap: numbers are inserted, then all of it is freed.
// Wrong: a node is read after it was freed.
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *insert(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return list;
    node->value = value;
    struct node **at = &list;
    while (*at != NULL && (*at)->value < value)
        at = &(*at)->next;
    node->next = *at;
    *at = node;
    return list;
}

static void free_all(struct node *list) {
    while (list != NULL) {
        free(list);
        list = list->next;
    }
}

int __VERIFIER_nondet_int(void);

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = insert(list, __VERIFIER_nondet_int());
    for (struct node *node = list; node != NULL && node->next != NULL; node = node->next)
        assert(node->value <= node->next->value);
    free_all(list);
    return 0;
}

// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// Only the last node of a singly linked list is held.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define CHECK(c) if (!(c)) reach_error()

struct node {
    struct node *next;
    struct node *prev;
    int v;
};

int main(void) {
    struct node *h = malloc(sizeof *h), *l = h;
    h->next = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->next = 0;
        l->next = x;
        l = x;
    }
    h = 0;
    while (l) {
        struct node *t = l->next;
        free(l);
        l = t;
    }
    return 0;
}

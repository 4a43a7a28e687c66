// expect: unsafe
// unknown: shape
// options: --property unreach-call
// A byte of the number in a node is changed.
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
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = 258;
        x->prev = 0;
        x->next = h;
        h = x;
    }
    if (h) {
        char *c = (char *)&h->v;
        c[0] = 3;
        CHECK(h->v == 258);
    }
    return 0;
}

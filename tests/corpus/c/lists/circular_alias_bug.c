// expect: unsafe
// unknown: shape
// options: --property unreach-call
// Two pointers into a circular list may be equal.
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
    struct node *h = malloc(sizeof *h);
    h->next = h;
    h->v = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = 0;
        x->next = h->next;
        h->next = x;
    }
    struct node *b = h->next;
    h->v = 1;
    b->v = 2;
    CHECK(h->v == 1);
    return 0;
}

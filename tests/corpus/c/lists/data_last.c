// expect: safe
// options: --property unreach-call
// The last node differs from the others.
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
    h->v = 1;
    h->next = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = 7;
        x->next = h;
        h = x;
    }
    struct node *p = h;
    while (p->next) {
        CHECK(p->v == 7);
        p = p->next;
    }
    CHECK(p->v == 1);
    return 0;
}

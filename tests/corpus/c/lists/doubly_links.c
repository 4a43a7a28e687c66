// expect: safe
// options: --property unreach-call
// The links of a doubly linked list agree.
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
    h->prev = 0;
    h->v = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = 0;
        x->next = 0;
        x->prev = l;
        l->next = x;
        l = x;
    }
    struct node *p = h;
    while (p->next) {
        CHECK(p->next->prev == p);
        p = p->next;
    }
    CHECK(p == l);
    return 0;
}

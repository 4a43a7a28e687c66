// expect: unsafe
// unknown: shape
// options: --property unreach-call
// One node in the middle holds another number.
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
        x->v = 7;
        x->prev = 0;
        x->next = h;
        h = x;
    }
    struct node *q = h;
    while (q && __VERIFIER_nondet_int()) q = q->next;
    if (q) q->v = 3;
    struct node *p = h;
    while (p) {
        CHECK(p->v == 7);
        p = p->next;
    }
    return 0;
}

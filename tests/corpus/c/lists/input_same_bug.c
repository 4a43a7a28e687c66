// expect: unsafe
// unknown: shape
// options: --property unreach-call
// Every node holds another number.
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
    int m = __VERIFIER_nondet_int();
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = m;
        x->prev = 0;
        x->next = h;
        h = x;
        m = m + 1;
    }
    struct node *p = h;
    while (p) {
        CHECK(p->v == h->v);
        p = p->next;
    }
    return 0;
}

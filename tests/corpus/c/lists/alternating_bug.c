// expect: unsafe
// unknown: shape
// options: --property tests/properties/unreach-call.prp
// Nodes of two kinds take turns, most of the time.
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
    int v = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = v;
        x->prev = 0;
        x->next = h;
        h = x;
        if (v || __VERIFIER_nondet_int()) {
            v = !v;
        }
    }
    for (struct node *p = h; p; p = p->next) {
        CHECK(!p->next || p->v != p->next->v);
    }
    return 0;
}

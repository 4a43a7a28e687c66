// expect: unsafe
// unknown: shape
// options: --property unreach-call
// A list may have three nodes.
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
    int k = 0;
    struct node *p = h;
    while (p) {
        if (k < 3) k++;
        p = p->next;
    }
    CHECK(k != 3);
    return 0;
}

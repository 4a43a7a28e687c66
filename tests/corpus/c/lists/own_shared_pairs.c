// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// Some nodes have an object in common, which is freed twice.
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
    struct node *o = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        if (!o || __VERIFIER_nondet_int()) o = malloc(sizeof *x);
        x->prev = o;
        x->next = h;
        h = x;
    }
    o = 0;
    while (h) {
        struct node *t = h->next;
        free(h->prev);
        free(h);
        h = t;
    }
    return 0;
}

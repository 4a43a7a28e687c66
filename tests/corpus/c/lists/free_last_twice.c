// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// The last node is freed twice.
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
    struct node *l = 0;
    while (h) {
        struct node *t = h->next;
        l = h;
        free(h);
        h = t;
    }
    if (l) free(l);
    return 0;
}

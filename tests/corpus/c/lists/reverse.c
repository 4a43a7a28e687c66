// expect: safe
// options: --property valid-memsafety
// A list is reversed in place.
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
    struct node *r = 0;
    while (h) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    h = r;
    r = 0;
    while (h) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
    return 0;
}

// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// Some nodes point to an object that nothing else points to.
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
    struct node *s = malloc(sizeof *s), *h = 0;
    s->next = 0;
    s->prev = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        if (__VERIFIER_nondet_int()) x->prev = s;
        else x->prev = 0;
        x->next = h;
        h = x;
    }
    s = 0;
    while (h) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
    return 0;
}

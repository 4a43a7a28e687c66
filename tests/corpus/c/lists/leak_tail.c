// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// A node of a list of any length is lost.
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
    if (h) {
        struct node *t = h->next;
        free(h);
        h = t;
        if (t) t = t->next;
        if (h) {
            free(h);
            h = 0;
        }
    }
    while (h) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
    return 0;
}

// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// A circular list of which one node is freed twice.
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
    struct node *h = malloc(sizeof *h);
    h->next = h;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->next = h->next;
        h->next = x;
    }
    struct node *p = h;
    do {
        struct node *t = p->next;
        free(p);
        p = t;
    } while (p != h);
    free(h);
    return 0;
}

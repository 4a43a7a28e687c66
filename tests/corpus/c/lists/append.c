// expect: safe
// options: --property valid-memsafety
// Nodes are appended.
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
    struct node *h = malloc(sizeof *h), *l = h;
    h->next = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->next = 0;
        l->next = x;
        l = x;
    }
    l = 0;
    while (h) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
    return 0;
}

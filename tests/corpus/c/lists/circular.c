// expect: safe
// options: --property valid-memsafety
// A circular list.
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
    struct node *p = h->next;
    while (p != h) {
        struct node *t = p->next;
        free(p);
        p = t;
    }
    free(h);
    return 0;
}

// expect: safe
// options: --property valid-memsafety
// Each node has an object of its own.
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
        x->prev = malloc(sizeof *x);
        x->next = h;
        h = x;
    }
    while (h) {
        struct node *t = h->next;
        free(h->prev);
        free(h);
        h = t;
    }
    return 0;
}

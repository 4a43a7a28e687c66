// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// A list ends in a node on the stack, which is freed.
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
    struct node s;
    s.next = 0;
    struct node *h = &s;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->next = h;
        h = x;
    }
    while (h) {
        struct node *t = h->next;
        free(h);
        h = t;
    }
    return 0;
}

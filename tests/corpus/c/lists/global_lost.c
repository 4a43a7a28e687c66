// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// The first node of a list that a global variable holds is lost.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define CHECK(c) if (!(c)) reach_error()

struct node {
    struct node *next;
    struct node *prev;
    int v;
};

struct node *g;

int main(void) {
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->next = g;
        g = x;
    }
    if (g) g = g->next;
    return 0;
}

// expect: safe
// options: --property valid-memsafety
// Links are read through other types.
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
    while (h) {
        char *c = (char *)h;
        void *t = *(void **)c;
        free(c);
        h = t;
    }
    return 0;
}

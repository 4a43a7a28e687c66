// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// Two lists with one tail, which is freed twice.
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
    struct node *t = malloc(sizeof *t);
    t->next = 0;
    t->v = 0;
    struct node *a = t, *b = t;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = 1;
        x->next = a;
        a = x;
    }
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = 2;
        x->next = b;
        b = x;
    }
    t = 0;
    while (a) {
        struct node *k = a->next;
        free(a);
        a = k;
    }
    while (b) {
        struct node *k = b->next;
        free(b);
        b = k;
    }
    return 0;
}

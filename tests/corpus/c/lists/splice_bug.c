// expect: unsafe
// unknown: shape
// options: --property unreach-call
// A list is appended to another one, whose nodes hold other numbers.
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
    struct node *a = 0, *b = 0;
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
    struct node *p = a;
    while (p && p->next) p = p->next;
    if (p) p->next = b;
    while (a) {
        CHECK(a->v == 1);
        a = a->next;
    }
    return 0;
}

// expect: unsafe
// unknown: shape
// options: --property tests/properties/unreach-call.prp
// The same, with an input that becomes zero.
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
    int flag = __VERIFIER_nondet_int();
    struct node *h = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = flag ? 1 : 2;
        x->prev = 0;
        x->next = h;
        h = x;
    }
    if (flag > 0) {
        flag = flag - 1;
    }
    for (struct node *p = h; p; p = p->next) {
        if (flag) {
            CHECK(p->v == 1);
        } else {
            CHECK(p->v == 2);
        }
    }
    return 0;
}

// expect: unsafe
// unknown: shape
// options: --property valid-memsafety
// A node of one kind can be the last one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define CHECK(c) if (!(c)) reach_error()

struct node {
    struct node *next;
    struct node *prev;
    int v;
};

static struct node *behind(struct node *end, int v) {
    struct node *x = malloc(sizeof *x);
    x->v = v;
    x->next = 0;
    x->prev = end;
    end->next = x;
    return x;
}

int main(void) {
    struct node *h = malloc(sizeof *h);
    h->v = 0;
    h->next = h->prev = 0;
    struct node *end = h;
    while (__VERIFIER_nondet_int()) {
        end = behind(end, __VERIFIER_nondet_int() ? 1 : 0);
        if (end->v == 1) {
            if (__VERIFIER_nondet_int()) {
                end = behind(end, 1);
            }
        }
    }
    while (h) {
        struct node *t = h->next;
        if (h->v == 1) {
            struct node *after = t->next;
            free(t);
            t = after;
        }
        free(h);
        h = t;
    }
    return 0;
}

// expect: safe
// unknown: explicit, symbolic
// Pointers to globals, locals and heap objects, a pointer in memory, and a choice between two of them.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
extern void *malloc(unsigned long);
extern void free(void *);

struct node {
    int value;
    short small;
    struct node *next;
};

struct node first;
int counter;

void set(int *where, int value) { *where = value; }

int main(void) {
    int local;
    int *either = __VERIFIER_nondet_int() ? &local : &counter;
    set(&local, 3);
    set(either, 4);
    first.next = &first;
    first.next->value = local;
    struct node *second = malloc(sizeof(struct node));
    second->value = first.next->value + 1;
    first.next = second;
    while (__VERIFIER_nondet_int()) {
        counter = first.next->value;
    }
    if (local + counter > 4 + 5 || first.next->value < 4) {
        __VERIFIER_error();
    }
    free(second);
    return 0;
}

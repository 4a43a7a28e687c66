// expect: safe
// unknown: symbolic
extern void *malloc(unsigned long), *realloc(void *, unsigned long), free(void *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };
static struct node *new_node(struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->next = next;
    return n;
}
int main(void) {
    /* Pointers to live objects, into one array, to no object. */
    int a[4], b[4], *end = a + 4, n = 0;
    for (int *p = a; p != end; p++)
        n++;
    assert(n == 4 && a != b && &a[3] != &b[0] && end > a && end - a == 4 && a + 1 < a + 3);
    struct node *head = new_node(0);
    head->next = new_node(new_node(head));
    assert(head != head->next && head->next->next->next == head);
    /* A ring is freed: the objects were all there at one time. */
    struct node *p = head;
    do {
        struct node *next = p->next;
        free(p);
        p = next;
        n--;
    } while (p != head);
    assert(n == 1);
    int *old = malloc(sizeof *old), *other = malloc(0);
    assert(old && other && old != other);
    free(old);
    /* Another literal may be the same or not; one is itself. */
    const char *s = "abc", *t = s;
    assert(s == t && s + 1 != t && s != (const char *)a);
    assert((void *)main != (void *)new_node && (char *)-1 != (char *)a);
    return 0;
}

// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
static struct node *list;
static void drop(void) { free(list); }
int main(void) {
  list = malloc(sizeof *list);
  list->next = malloc(sizeof *list);
  list->next->next = 0;
  drop();
  while (1) ;
}

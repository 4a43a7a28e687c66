// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void), printf(const char *, ...), puts(const char *);
struct node { int value; struct node *next; };
struct pair { char *first, *second; };
static struct node *list;
static char *middle;

static struct node *push(struct node *to, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = to;
  return node;
}
static int turns(int n) {
  int all = 0;
  while (n-- > 0) all++;
  return all;
}
static int both(char *p, int n) {
  *p = (char)n;
  free(p);
  return n;
}
static struct pair pair_of(char *first, char *second) {
  struct pair pair = {first, second};
  return pair;
}
int main(void) {
  /* What a variable, a static one, or an object that is found from one holds is not lost. */
  for (int i = 0; i < 2; i++) list = push(list, i);
  middle = (char *)malloc(8) + 3;
  char *end = (char *)malloc(4) + 4;
  for (int i = 0; i < 2; i++) ;
  free(end - 4);
  /* An argument is held while the others are evaluated, and pointers are held that nobody reads again. */
  if (both(malloc(1), turns(2)) != 2) return 1;
  char *unread = malloc(1);
  char *same = unread;
  for (int i = 0; i < 2; i++) ;
  free(same);
  char *many[2];
  struct pair *pairs = malloc(2 * sizeof *pairs);
  pairs[1] = pair_of(malloc(1), 0);
  many[0] = pairs[1].first;
  pairs[0] = pairs[1];
  for (int i = 0; i < 2; i++) ;
  free(pairs);
  while (turns(1) != 1) ;
  free(many[0]);
  int *value = ({ int *inner = malloc(sizeof *inner); *inner = 3; inner; });
  do { *value -= 1; } while (*value > 0);
  free(value);
  /* Jumps end the lives of what they leave. */
  for (int i = 0; i < 3; i++) {
    char *local = malloc(1);
    if (i == 1) { free(local); continue; }
    free(local);
    if (i == 2) break;
  }
again:;
  {
    char *kept = malloc(1);
    free(kept);
    if (--list->value == 0) goto again;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  printf("%s, %s\n", "one", middle ? "two" : "three");
  puts(middle ? "yes" : "no");
  /* This one is left, but not lost. */
  return 0;
}

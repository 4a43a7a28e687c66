// expect: safe
// unknown: symbolic
// options: --property valid-memcleanup
typedef __typeof__(sizeof(0)) size_t;
extern void *malloc(size_t), free(void *), *realloc(void *, size_t), *memcpy(void *, const void *, size_t);
extern char *strdup(const char *);
struct node { int value; struct node *next; };
static struct node *first;
int main(void) {
  int i, *numbers = malloc(3 * sizeof(int));
  char *copy = strdup("text");
  for (i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = numbers[i] = i;
    node->next = first;
    first = node;
  }
  numbers = realloc(numbers, 5 * sizeof(int));
  numbers[4] = numbers[2];
  memcpy(numbers, numbers + 4, sizeof(int));
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  free(numbers);
  free(copy);
  free(0);
  return 0;
}

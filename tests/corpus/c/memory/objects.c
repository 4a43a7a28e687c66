// expect: safe
// unknown: symbolic
typedef unsigned long size_t;
extern void reach_error(void);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern void free(void *);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = 0, *n;
  int sum = 0, *zeros = calloc(4, sizeof(int)), copy[2];
  for (int i = 1; i <= 3; i++) { n = malloc(sizeof *n); n->value = i; n->next = list; list = n; }
  while (list) { n = list->next; sum = 10 * sum + list->value; free(list); list = n; }
  zeros[3] = 7;
  zeros = realloc(zeros, 8 * sizeof(int));
  memcpy(copy, zeros + 2, sizeof copy);
  if (sum != 321 || copy[0] != 0 || copy[1] != 7) reach_error();
  memset(copy, -1, sizeof copy);
  if (copy[0] != -1) reach_error();
  free(zeros);
  return 0;
}

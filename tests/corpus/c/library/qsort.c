// expect: safe
// unknown: explicit, symbolic
// Whole elements are moved, with the pointers in them.
#include <stdlib.h>
#include <string.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);

struct entry { const char *name; int rank; };

static int by_rank(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  return (x->rank > y->rank) - (x->rank < y->rank);
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low >= high)
    return 0;
  struct entry entries[2] = {{"high", high}, {"low", low}};
  qsort(entries, 2, sizeof entries[0], by_rank);
  if (entries[0].rank != low || entries[0].name[0] != 'l' || entries[1].name[0] != 'h')
    reach_error();
  return 0;
}

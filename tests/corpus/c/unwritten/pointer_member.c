// expect: safe
// options: --property assert,valid-deref
// unknown: explicit, symbolic
// What a pointer in a structure held before it was written matters to nobody.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct entry { const int *value; int rank; };
int main(void) {
  int number = __VERIFIER_nondet_int(), other = 7;
  struct entry entries[2];
  for (int i = 0; i < 2; i++) {
    entries[i].rank = i;
    entries[i].value = i == 0 ? &number : &other;
  }
  struct entry held = entries[0];
  entries[0] = entries[1];
  entries[1] = held;
  assert(*entries[1].value == number && *entries[0].value == 7 && entries[0].rank == 1);
  return 0;
}

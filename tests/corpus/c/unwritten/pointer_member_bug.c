// expect: unsafe
// options: --property assert,valid-deref
// unknown: cegar, bounded, symbolic, panda
// A pointer that was written on one way only may be null on the other.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct entry { const int *value; int rank; };
int main(void) {
  int number = __VERIFIER_nondet_int();
  struct entry entry;
  if (number > 3)
    entry.value = &number;
  return *entry.value > 3 ? 0 : 1;
}

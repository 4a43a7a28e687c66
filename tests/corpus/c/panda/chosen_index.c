// expect: safe
// unknown: explicit, symbolic, bounded, cegar
// An index that is an input chooses which of two objects is written, again and again.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct worker { int done; int other; };
struct worker first, second;
struct worker *workers[2];
int main(void) {
  workers[0] = &first;
  workers[1] = &second;
  int steps = 0;
  while (first.done < 2 || second.done < 2) {
    int i = __VERIFIER_nondet_int();
    if (i < 0) i = 0;
    while (i >= 2) i = i - 2;
    while (workers[i]->done >= 2) {
      i = i + 1;
      while (i >= 2) i = i - 2;
    }
    workers[i]->done = workers[i]->done + 1;
    steps = steps + 1;
  }
  assert(steps == 4 && workers[0]->done == 2 && second.other == 0);
  return 0;
}

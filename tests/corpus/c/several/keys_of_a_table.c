// expect: safe
// unknown: cegar, explicit, symbolic
// options: --property assert,valid-deref,no-leak
// A table of chains with any two keys: no node is lost, whichever chain it is in.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct entry { int key, value; struct entry *next; };
struct entry *table[4];
void put(int key, int value) {
  unsigned chain = (unsigned)key % 4;
  for (struct entry *e = table[chain]; e; e = e->next)
    if (e->key == key) { e->value = value; return; }
  struct entry *e = malloc(sizeof *e);
  e->key = key;
  e->value = value;
  e->next = table[chain];
  table[chain] = e;
}
int get(int key, int *value) {
  for (struct entry *e = table[(unsigned)key % 4]; e; e = e->next)
    if (e->key == key) { *value = e->value; return 1; }
  return 0;
}
int main(void) {
  int one = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int(), value = 0;
  put(one, 1);
  put(other, 2);
  assert(get(other, &value) && value == 2);
  assert(get(one, &value) && value == (one == other ? 2 : 1));
  return 0;
}

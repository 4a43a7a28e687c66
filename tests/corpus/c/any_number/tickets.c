// expect: safe
// unknown: explicit, bounded, symbolic, panda
// The main thread takes a ticket as the others do: no two have the same.
unsigned next, served;
int inside;
void __VERIFIER_atomic_take(unsigned *ticket) {
  __VERIFIER_assume(next != 4294967295u);
  *ticket = next;
  next = next + 1;
}
void *worker(void *p) {
  unsigned mine;
  __VERIFIER_atomic_take(&mine);
  while (served != mine) { }
  inside = 1;
  if (inside != 1) __VERIFIER_error();
  inside = 0;
  served = served + 1;
  return 0;
}
int main(void) {
  unsigned long t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, worker, 0);
  worker(0);
  return 0;
}

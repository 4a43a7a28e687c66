// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// The main thread looks at the next ticket without taking it.
unsigned next, served;
int inside;
void __VERIFIER_atomic_take(unsigned *ticket) { *ticket = next; next = next + 1; }
void serve(unsigned mine) {
  while (served != mine) { }
  inside = inside + 1;
  if (inside != 1) __VERIFIER_error();
  inside = inside - 1;
  served = served + 1;
}
void *worker(void *p) {
  unsigned mine;
  __VERIFIER_atomic_take(&mine);
  serve(mine);
  return 0;
}
int main(void) {
  unsigned long t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, worker, 0);
  serve(next);
  return 0;
}

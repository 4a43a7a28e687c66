// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// Who does not compare again before the swap may put a smaller number over a larger one.
int largest;
void __VERIFIER_atomic_swap(int *where, int old, int new, int *done) {
  *done = 0;
  if (1) {
    *where = new;
    *done = 1;
  }
}
void *worker(void *p) {
  int mine = __VERIFIER_nondet_int(), seen, done;
  while (1) {
    seen = largest;
    if (mine <= seen) break;
    __VERIFIER_atomic_swap(&largest, seen, mine, &done);
    if (done) break;
  }
  if (mine > largest) __VERIFIER_error();
  return 0;
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

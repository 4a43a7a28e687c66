// expect: safe
// unknown: explicit, bounded, symbolic, panda
// What is swapped in where nothing else has changed only grows, so that nobody's number is above the largest in the end.
int largest;
void __VERIFIER_atomic_swap(int *where, int old, int new, int *done) {
  *done = 0;
  if (*where == old) {
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

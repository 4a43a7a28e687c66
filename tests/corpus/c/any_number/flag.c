// expect: safe
// unknown: explicit, bounded, symbolic, panda
// A flag that is tested and set in one step lets one thread in.
int taken, inside;
void __VERIFIER_atomic_acquire(void) { __VERIFIER_assume(taken == 0); taken = 1; }
void *worker(void *p) {
  __VERIFIER_atomic_acquire();
  inside = 1;
  if (inside != 1) __VERIFIER_error();
  inside = 0;
  taken = 0;
  return 0;
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

// expect: safe
// unknown: explicit, bounded, symbolic, panda
// Who finds the lock free when he sets it has it: no two have found it free.
int lock, inside;
void __VERIFIER_atomic_test_and_set(int *old) { *old = lock; lock = 1; }
void *worker(void *p) {
  int was;
  __VERIFIER_atomic_test_and_set(&was);
  while (was == 1) __VERIFIER_atomic_test_and_set(&was);
  inside = inside + 1;
  if (inside != 1) __VERIFIER_error();
  inside = inside - 1;
  lock = 0;
  return 0;
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

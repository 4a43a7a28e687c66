// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// The lock is looked at and set in two steps.
int lock, inside;
void test_and_set(int *old) { *old = lock; lock = 1; }
void *worker(void *p) {
  int was;
  test_and_set(&was);
  while (was == 1) test_and_set(&was);
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

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// The flag is tested in one step and set in another.
int taken, inside;
void *worker(void *p) {
  __VERIFIER_assume(taken == 0);
  taken = 1;
  inside = 1;
  if (inside != 1) __VERIFIER_error();
  inside = 0;
  taken = 0;
  return 0;
}
int main(void) {
  unsigned long t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0);
  return 0;
}

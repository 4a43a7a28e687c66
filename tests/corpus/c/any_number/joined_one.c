// expect: unsafe
// options: --property unreach-call
// unknown: bounded, symbolic, panda, cegar
// One of them is not waited for.
void reach_error(void) {}
int done;
void *worker(void *p) { __VERIFIER_atomic_begin(); done = done + 1; __VERIFIER_atomic_end(); return 0; }
int main(void) {
  unsigned long t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 1; i++) pthread_join(t[i], 0);
  if (done != 2) reach_error();
  return 0;
}

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// Two sections: another thread comes between them.
int busy;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  busy = busy + 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  if (busy != 1) __VERIFIER_error();
  busy = busy - 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  unsigned long t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0);
  return 0;
}

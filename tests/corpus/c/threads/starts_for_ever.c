// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// The main thread never stops starting others; one of them fails by itself.
int g;
void *worker(void *p) {
  int x = 0;
  int *q = &x;
  if (__VERIFIER_nondet_int()) q = &g;
  *q = 1;
  assert(x == 1);
  return 0;
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

// expect: safe
// unknown: bounded, symbolic, panda
// The threads are given the number itself.
void *worker(void *p) {
  long mine = (long)p;
  if (mine > 2 || mine < 0) __VERIFIER_error();
  return 0;
}
int main(void) {
  unsigned long t;
  for (long i = 0; i < 3; i++) pthread_create(&t, 0, worker, (void *)i);
  return 0;
}

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// The first thread and the others are started at one place, with other arguments.
int x;
void *worker(void *p) {
  if (p) { x = 1; } else if (x == 1) __VERIFIER_error();
  return 0;
}
int main(void) {
  unsigned long t;
  long i = 0;
  while (1) { pthread_create(&t, 0, worker, (void *)i); i = 1; }
}

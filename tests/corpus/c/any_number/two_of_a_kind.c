// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// One thread that is started before another at the same place of the program is one more.
int n;
void *worker(void *p) {
  n = n + 1;
  if (n == 2) __VERIFIER_error();
  return 0;
}
void start(void) {
  unsigned long t;
  pthread_create(&t, 0, worker, 0);
}
int main(void) {
  int i;
  for (i = 0; i < 2; i++) start();
  pthread_exit(0);
}

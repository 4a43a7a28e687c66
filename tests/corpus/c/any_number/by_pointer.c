// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// The threads are given a pointer to the number, which changes before they look.
int sum;
void *worker(void *p) {
  if (*(int *)p == 2) __VERIFIER_error();
  return 0;
}
int main(void) {
  unsigned long t;
  int i;
  for (i = 0; i < 2; i++) pthread_create(&t, 0, worker, &i);
  pthread_join(t, 0);
  return 0;
}

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar, explicit
// So many places start threads that the last, in a loop, has room for one copy: it stands for any number all the same.
int x;
void *idle(void *p) { return 0; }
void *worker(void *p) {
  x = 1;
  if (x != 1) __VERIFIER_error();
  x = 0;
  return 0;
}
int main(void) {
  unsigned long t;
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  pthread_create(&t, 0, idle, 0);
  while (__VERIFIER_nondet_int()) pthread_create(&t, 0, worker, 0);
  return 0;
}

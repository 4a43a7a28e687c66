// expect: unsafe
// unknown: explicit, bounded, symbolic, panda, cegar
// The second look takes no lock.
int x;
unsigned long m[8];
void *worker(void *p) {
  pthread_mutex_lock(m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(m);
  if (x != 0) __VERIFIER_error();
  return 0;
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

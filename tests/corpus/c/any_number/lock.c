// expect: safe
// unknown: explicit, bounded, symbolic, panda
// However many threads there are, what one changes under a lock is as it was when the next has it.
int x;
unsigned long m[8];
void *worker(void *p) {
  pthread_mutex_lock(m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(m);
  pthread_mutex_lock(m);
  if (x != 0) __VERIFIER_error();
  pthread_mutex_unlock(m);
  return 0;
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// Who is woken does not look again whether there is anything.
int full;
unsigned long m[8], c[8];
void *consumer(void *p) {
  pthread_mutex_lock(m);
  if (full == 0) pthread_cond_wait(c, m);
  if (full == 0) __VERIFIER_error();
  full = full - 1;
  pthread_mutex_unlock(m);
  return 0;
}
int main(void) {
  unsigned long t;
  for (int i = 0; i < 2; i++) pthread_create(&t, 0, consumer, 0);
  pthread_mutex_lock(m);
  full = full + 1;
  pthread_cond_broadcast(c);
  pthread_mutex_unlock(m);
  return 0;
}

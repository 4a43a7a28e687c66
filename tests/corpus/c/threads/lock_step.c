// expect: safe
// unknown: explicit, bounded, symbolic, panda
// Two threads with long loops: what is under the lock is proved without counting.
int top, m;
unsigned long lock[8];
void *push(void *p) {
  int i;
  for (i = 0; i < 100000; i++) {
    pthread_mutex_lock(&lock);
    if (top < 1000) top = top + 1;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
void *pop(void *p) {
  int i;
  for (i = 0; i < 100000; i++) {
    pthread_mutex_lock(&lock);
    if (top > 0) {
      top = top - 1;
      if (top < 0) __VERIFIER_error();
    }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(void) {
  unsigned long t, u;
  pthread_create(&t, 0, push, 0);
  pthread_create(&u, 0, pop, 0);
  return 0;
}

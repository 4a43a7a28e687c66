// expect: safe
// unknown: explicit, bounded, symbolic, panda
// What is done in atomic sections is undone before anybody sees it.
int busy;
void *worker(void *p) {
  while (1) {
    __VERIFIER_atomic_begin();
    busy = busy + 1;
    if (busy != 1) __VERIFIER_error();
    busy = busy - 1;
    __VERIFIER_atomic_end();
  }
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// Who enters may close the door again.
_Bool open;
__thread _Bool entered;
void *worker(void *p) {
  while (1) {
    if (entered && !open) __VERIFIER_error();
    open = 1;
    entered = 1;
    if (__VERIFIER_nondet_int()) open = 0;
  }
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

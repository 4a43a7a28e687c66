// expect: safe
// unknown: explicit, bounded, symbolic, panda
// A thread that has entered knows that the door is open: nobody closes it. What it knows is a truth value of its own.
_Bool open;
__thread _Bool entered;
void *worker(void *p) {
  while (1) {
    if (entered && !open) __VERIFIER_error();
    open = 1;
    entered = 1;
  }
}
int main(void) {
  unsigned long t;
  while (1) pthread_create(&t, 0, worker, 0);
}

// expect: safe
// unknown: symbolic
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);
static int counter;
static void __VERIFIER_atomic_take(int *ticket) { *ticket = counter; counter = counter + 1; }
static void *run(void *argument) {
  int ticket = 7;
  __VERIFIER_atomic_take(&ticket);
  if (ticket < 0 || ticket > 1) reach_error();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2) reach_error();
  return 0;
}

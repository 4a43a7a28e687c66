// expect: unsafe
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
static int counter;
static void *run(void *argument) {
  int seen = counter;
  counter = seen + 1;
  if (counter != seen + 1) reach_error();
  return 0;
}
int main(void) {
  pthread_t t;
  int i;
  for (i = 0; i < 6; i++) pthread_create(&t, 0, run, 0);
  return 0;
}

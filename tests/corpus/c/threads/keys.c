// expect: safe
// unknown: symbolic
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t, pthread_t);
extern void reach_error(void);
typedef unsigned pthread_key_t;
extern int pthread_key_create(pthread_key_t *, void (*)(void *)), pthread_setspecific(pthread_key_t, const void *);
extern void *pthread_getspecific(pthread_key_t);
static void check(int condition) { if (!condition) reach_error(); }
static pthread_key_t key;
static int ended, one = 1, two = 2;
static void end(void *value) { ended += *(int *)value; }
static void *run(void *argument) {
  check(pthread_getspecific(key) == 0);
  pthread_setspecific(key, argument);
  check(pthread_getspecific(key) == argument);
  return 0;
}
int main(void) {
  pthread_t a;
  check(pthread_key_create(&key, end) == 0);
  pthread_setspecific(key, &two);
  pthread_create(&a, 0, run, &one);
  pthread_join(a, 0);
  check(ended == 1 && pthread_getspecific(key) == &two);
  return 0;
}

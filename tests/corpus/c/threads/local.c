// expect: safe
// unknown: symbolic
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t, pthread_t);
extern void reach_error(void);
static void check(int condition) { if (!condition) reach_error(); }
static __thread int own = 5;
static __thread int others[2];
static int *seen;
static void count(int n) { own += n; others[1]++; }
static void *first(void *argument) {
  check(own == 5 && others[1] == 0);
  count(1);
  check(own == 6 && !pthread_equal(pthread_self(), 0));
  pthread_exit((char *)argument + own);
  return 0;
}
static void *second(void *argument) {
  count(2);
  check(own == 7 && others[1] == 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  void *result;
  char room[20];
  pthread_t self = pthread_self();
  count(10);
  pthread_create(&a, 0, first, room);
  pthread_create(&b, 0, second, &own);
  check(a != b && !pthread_equal(a, self) && pthread_equal(self, pthread_self()));
  pthread_join(a, &result);
  check(result == room + 6);
  pthread_join(b, &result);
  check(result == &own && own == 15 && others[1] == 1);
  return 0;
}

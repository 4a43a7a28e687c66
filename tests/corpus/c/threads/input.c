// expect: safe
// unknown: explicit, symbolic
typedef unsigned long pthread_t;
typedef struct { int x[10]; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t*);
extern int pthread_mutex_unlock(pthread_mutex_t*);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int counter, n; pthread_mutex_t m;
void *run(void *argument) { pthread_mutex_lock(&m); int seen = counter; counter = seen + n; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a, b;
  n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000000) return 0;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (counter != 2*n) reach_error();
  return 0;
}

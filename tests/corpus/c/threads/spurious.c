// expect: unsafe
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t, pthread_t);
extern void reach_error(void);
typedef union { int number; char room[48]; } lock_t;
extern int pthread_mutex_lock(lock_t *), pthread_mutex_unlock(lock_t *);
extern int pthread_cond_wait(lock_t *, lock_t *), pthread_cond_signal(lock_t *);
static lock_t condition, mutex;
static int ready;
static void *run(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  // A thread may wake on its own.
  if (!ready) reach_error();
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}

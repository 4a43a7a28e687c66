// expect: safe
// unknown: symbolic
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void pthread_exit(void *);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t, pthread_t);
extern void reach_error(void);
typedef union { int number; char room[32]; } lock_t;
extern int pthread_rwlock_init(lock_t *, const void *), pthread_rwlock_rdlock(lock_t *), pthread_rwlock_wrlock(lock_t *);
extern int pthread_rwlock_unlock(lock_t *), sem_init(lock_t *, int, unsigned), sem_wait(lock_t *), sem_post(lock_t *);
extern int pthread_mutex_lock(lock_t *), pthread_mutex_unlock(lock_t *), pthread_mutex_trylock(lock_t *);
static lock_t lock, semaphore, mutex;
static int a, b, shared;
static void *writer(void *argument) {
  pthread_rwlock_wrlock(&lock);
  a++;
  b++;
  pthread_rwlock_unlock(&lock);
  if (pthread_mutex_trylock(&mutex) == 0) {
    shared++;
    pthread_mutex_unlock(&mutex);
  }
  sem_post(&semaphore);
  return 0;
}
int main(void) {
  pthread_t t;
  int busy, before;
  pthread_rwlock_init(&lock, 0);
  sem_init(&semaphore, 0, 0);
  pthread_create(&t, 0, writer, 0);
  pthread_rwlock_rdlock(&lock);
  if (a != b) reach_error();
  pthread_rwlock_unlock(&lock);
  pthread_mutex_lock(&mutex);
  before = shared;
  if (shared != before) reach_error();
  pthread_mutex_unlock(&mutex);
  sem_wait(&semaphore);
  if (a != 1 || shared > 1) reach_error();
  return 0;
}

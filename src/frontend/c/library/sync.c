/* Locks for readers and writers, spin locks, barriers, `pthread_once` of <pthread.h>, and <semaphore.h>. Each is a
   number or a few at the start of the object. What would block is assumed away: another order of the threads has it. */

void __VERIFIER_assume(int condition);

/* A lock holds the number of its readers, or -1 for a writer. */
static void __VERIFIER_atomic_share(int *lock) {
  __VERIFIER_assume(*lock >= 0);
  ++*lock;
}
static void __VERIFIER_atomic_own(int *lock) {
  __VERIFIER_assume(*lock == 0);
  *lock = -1;
}
static int __VERIFIER_atomic_try_share(int *lock) {
  if (*lock < 0)
    return 16;
  ++*lock;
  return 0;
}
static int __VERIFIER_atomic_try_own(int *lock) {
  if (*lock != 0)
    return 16;
  *lock = -1;
  return 0;
}
static void __VERIFIER_atomic_release(int *lock) {
  if (*lock == 0)
    __builtin_unreachable();
  *lock = *lock < 0 ? 0 : *lock - 1;
}

int pthread_rwlock_init(int *lock, const void *attributes) {
  *lock = 0;
  return 0;
}
int pthread_rwlock_destroy(int *lock) { return 0; }
int pthread_rwlock_rdlock(int *lock) {
  __VERIFIER_atomic_share(lock);
  return 0;
}
int pthread_rwlock_wrlock(int *lock) {
  __VERIFIER_atomic_own(lock);
  return 0;
}
int pthread_rwlock_tryrdlock(int *lock) { return __VERIFIER_atomic_try_share(lock); }
int pthread_rwlock_trywrlock(int *lock) { return __VERIFIER_atomic_try_own(lock); }
int pthread_rwlock_unlock(int *lock) {
  __VERIFIER_atomic_release(lock);
  return 0;
}

int pthread_spin_init(volatile int *lock, int shared) {
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(volatile int *lock) { return 0; }
int pthread_spin_lock(volatile int *lock) {
  __VERIFIER_atomic_own((int *)lock);
  return 0;
}
int pthread_spin_trylock(volatile int *lock) { return __VERIFIER_atomic_try_own((int *)lock); }
int pthread_spin_unlock(volatile int *lock) {
  __VERIFIER_atomic_release((int *)lock);
  return 0;
}

static void __VERIFIER_atomic_down(int *semaphore) {
  __VERIFIER_assume(*semaphore > 0);
  --*semaphore;
}
static void __VERIFIER_atomic_up(int *semaphore) { ++*semaphore; }

int sem_init(int *semaphore, int shared, unsigned value) {
  *semaphore = value;
  return 0;
}
int sem_destroy(int *semaphore) { return 0; }
int sem_wait(int *semaphore) {
  __VERIFIER_atomic_down(semaphore);
  return 0;
}
int sem_post(int *semaphore) {
  __VERIFIER_atomic_up(semaphore);
  return 0;
}
static int __VERIFIER_atomic_value(int *semaphore) { return *semaphore; }
int sem_getvalue(int *semaphore, int *value) {
  *value = __VERIFIER_atomic_value(semaphore);
  return 0;
}

/* A barrier: how many threads it is for, how many wait, and how often it has opened. */
static int __VERIFIER_atomic_arrive(int *barrier) {
  int round = barrier[2];
  if (++barrier[1] == barrier[0]) {
    barrier[1] = 0;
    barrier[2] = (barrier[2] + 1) & 0xffff;
    return -1;
  }
  return round;
}
static void __VERIFIER_atomic_leave(int *barrier, int round) { __VERIFIER_assume(barrier[2] != round); }

int pthread_barrier_init(int *barrier, const void *attributes, unsigned count) {
  if (count == 0)
    return 22;
  barrier[0] = count;
  barrier[1] = 0;
  barrier[2] = 0;
  return 0;
}
int pthread_barrier_destroy(int *barrier) { return 0; }
int pthread_barrier_wait(int *barrier) {
  int round = __VERIFIER_atomic_arrive(barrier);
  if (round < 0)
    return -1;
  __VERIFIER_atomic_leave(barrier, round);
  return 0;
}

static int __VERIFIER_atomic_start_once(int *once) {
  __VERIFIER_assume(*once != 1);
  if (*once != 0)
    return 0;
  *once = 1;
  return 1;
}
static void __VERIFIER_atomic_end_once(int *once) { *once = 2; }
int pthread_once(int *once, void (*start)(void)) {
  if (__VERIFIER_atomic_start_once(once)) {
    start();
    __VERIFIER_atomic_end_once(once);
  }
  return 0;
}

/* Locks that are tried, or waited for until some time: the time may be over at any time at which the lock is taken. */

int __VERIFIER_nondet_int(void);
int pthread_mutex_lock(int *mutex);
int pthread_mutex_trylock(int *mutex);

int pthread_mutex_timedlock(int *mutex, const void *time) {
  if (pthread_mutex_trylock(mutex) == 0)
    return 0;
  if (__VERIFIER_nondet_int())
    return 110;
  return pthread_mutex_lock(mutex);
}
int mtx_trylock(int *mutex) { return pthread_mutex_trylock(mutex) ? 1 : 0; }
int mtx_timedlock(int *mutex, const void *time) { return pthread_mutex_timedlock(mutex, time) ? 4 : 0; }

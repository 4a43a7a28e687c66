/* <threads.h>, on top of <pthread.h>: what does not start or end threads, try a lock or have values of a thread's own. */

int __VERIFIER_nondet_int(void);
void __unmodelled(void);
int pthread_mutex_init(void *mutex, const void *attributes);
int pthread_mutex_destroy(void *mutex);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_unlock(void *mutex);
int pthread_cond_init(void *condition, const void *attributes);
int pthread_cond_destroy(void *condition);
int pthread_cond_wait(void *condition, void *mutex);
int pthread_cond_signal(void *condition);
int pthread_cond_broadcast(void *condition);
int pthread_once(int *once, void (*start)(void));

/* A lock that its owner can take again is not modelled. */
int mtx_init(void *mutex, int type) {
  if (type & 1)
    __unmodelled();
  return pthread_mutex_init(mutex, 0);
}
void mtx_destroy(void *mutex) { pthread_mutex_destroy(mutex); }
int mtx_lock(void *mutex) { return pthread_mutex_lock(mutex); }
int mtx_unlock(void *mutex) { return pthread_mutex_unlock(mutex); }

int cnd_init(void *condition) { return pthread_cond_init(condition, 0); }
void cnd_destroy(void *condition) { pthread_cond_destroy(condition); }
int cnd_wait(void *condition, void *mutex) { return pthread_cond_wait(condition, mutex); }
int cnd_signal(void *condition) { return pthread_cond_signal(condition); }
int cnd_broadcast(void *condition) { return pthread_cond_broadcast(condition); }

/* The time may be over at any time. */
int pthread_cond_timedwait(void *condition, void *mutex, const void *time) {
  if (__VERIFIER_nondet_int()) {
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return 110;
  }
  return pthread_cond_wait(condition, mutex);
}
int cnd_timedwait(void *condition, void *mutex, const void *time) {
  return pthread_cond_timedwait(condition, mutex, time) ? 4 : 0;
}

void call_once(int *once, void (*start)(void)) { pthread_once(once, start); }

int thrd_sleep(const void *time, void *rest) { return 0; }

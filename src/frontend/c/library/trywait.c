/* Semaphores that are tried, of <semaphore.h>. */

int __VERIFIER_nondet_int(void);
int sem_wait(int *semaphore);
int *__errno_location(void);

static int __VERIFIER_atomic_try_down(int *semaphore) {
  if (*semaphore == 0)
    return -1;
  --*semaphore;
  return 0;
}
int sem_trywait(int *semaphore) {
  if (__VERIFIER_atomic_try_down(semaphore) == 0)
    return 0;
  *__errno_location() = 11;
  return -1;
}
int sem_timedwait(int *semaphore, const void *time) {
  if (__VERIFIER_atomic_try_down(semaphore) == 0)
    return 0;
  if (__VERIFIER_nondet_int()) {
    *__errno_location() = 110;
    return -1;
  }
  return sem_wait(semaphore);
}

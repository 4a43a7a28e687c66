/* Mutexes, in programs that try to take one: 1 at the start of the object while it is taken. */

void __VERIFIER_assume(int condition);

static void __VERIFIER_atomic_take(int *mutex) {
  __VERIFIER_assume(*mutex == 0);
  *mutex = 1;
}
static int __VERIFIER_atomic_try(int *mutex) {
  if (*mutex != 0)
    return 16;
  *mutex = 1;
  return 0;
}
static void __VERIFIER_atomic_give(int *mutex) {
  if (*mutex != 1)
    __builtin_unreachable();
  *mutex = 0;
}

int pthread_mutex_init(int *mutex, const void *attributes) {
  *mutex = 0;
  return 0;
}
int pthread_mutex_destroy(int *mutex) { return 0; }
int pthread_mutex_lock(int *mutex) {
  __VERIFIER_atomic_take(mutex);
  return 0;
}
int pthread_mutex_trylock(int *mutex) { return __VERIFIER_atomic_try(mutex); }
int pthread_mutex_unlock(int *mutex) {
  __VERIFIER_atomic_give(mutex);
  return 0;
}

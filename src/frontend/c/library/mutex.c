/* Mutexes, in programs that say of which kind they are: 1 can be taken again, 2 tells of errors. The kind is where glibc
   has it, so that the initialisers of its headers are right. */

void __mutex_take(int *mutex);
void __mutex_take_again(int *mutex);
void __mutex_give(int *mutex);
int __mutex_is_taken(int *mutex);
int __mutex_is_mine(int *mutex);

int pthread_mutexattr_init(int *attributes) {
  *attributes = 0;
  return 0;
}
int pthread_mutexattr_settype(int *attributes, int type) {
  if (type < 0 || type > 3)
    return 22;
  *attributes = type;
  return 0;
}
int pthread_mutexattr_gettype(const int *attributes, int *type) {
  *type = *attributes;
  return 0;
}

static int *kind_of(int *mutex) { return mutex + (sizeof(void *) == 8 ? 4 : 3); }

int pthread_mutex_init(int *mutex, const int *attributes) {
  *kind_of(mutex) = attributes ? *attributes : 0;
  return 0;
}
int pthread_mutex_lock(int *mutex) {
  int kind = *kind_of(mutex);
  if (kind == 2 && __mutex_is_mine(mutex))
    return 35;
  if (kind == 1)
    __mutex_take_again(mutex);
  else
    __mutex_take(mutex);
  return 0;
}
static int __VERIFIER_atomic_try(int *mutex, int kind) {
  if (kind == 1 && __mutex_is_mine(mutex)) {
    __mutex_take_again(mutex);
    return 0;
  }
  if (__mutex_is_taken(mutex))
    return 16;
  __mutex_take(mutex);
  return 0;
}
int pthread_mutex_trylock(int *mutex) { return __VERIFIER_atomic_try(mutex, *kind_of(mutex)); }
int pthread_mutex_unlock(int *mutex) {
  int kind = *kind_of(mutex);
  if ((kind == 1 || kind == 2) && !__mutex_is_mine(mutex))
    return 1;
  __mutex_give(mutex);
  return 0;
}

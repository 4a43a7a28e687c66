/* Values of a thread's own, of <pthread.h>. */

static __thread void *values[16];
static void (*destructors[16])(void *);
static char taken[16];

static int __VERIFIER_atomic_take_key(void (*destructor)(void *)) {
  int key;
  for (key = 0; key < 16; key++)
    if (!taken[key]) {
      taken[key] = 1;
      destructors[key] = destructor;
      return key;
    }
  return -1;
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  int free = __VERIFIER_atomic_take_key(destructor);
  if (free < 0)
    return 11;
  *key = free;
  return 0;
}

static int __VERIFIER_atomic_is_taken(unsigned key) { return key < 16 && taken[key]; }
static void (*__VERIFIER_atomic_destructor(unsigned key))(void *) { return destructors[key]; }
static int __VERIFIER_atomic_give_key(unsigned key) {
  if (key >= 16 || !taken[key])
    return 22;
  destructors[key] = 0;
  taken[key] = 0;
  return 0;
}

int pthread_key_delete(unsigned key) { return __VERIFIER_atomic_give_key(key); }

void *pthread_getspecific(unsigned key) { return key < 16 ? values[key] : 0; }

int pthread_setspecific(unsigned key, const void *value) {
  if (!__VERIFIER_atomic_is_taken(key))
    return 22;
  values[key] = (void *)value;
  return 0;
}

/* Called where a thread ends: values that are not null go to their destructors, which may set others. */
void __thread_ends(void) {
  int round, key, again = 1;
  for (round = 0; round < 4 && again; round++) {
    again = 0;
    for (key = 0; key < 16; key++) {
      void *value = values[key];
      void (*destructor)(void *) = value ? __VERIFIER_atomic_destructor(key) : 0;
      if (destructor) {
        again = 1;
        values[key] = 0;
        destructor(value);
      }
    }
  }
}

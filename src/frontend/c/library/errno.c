/* Functions that say in `errno` what went wrong. */

typedef __typeof__(sizeof(0)) size_t;
struct timespec { long tv_sec, tv_nsec; };

void *realloc(void *old, size_t size);
int *__errno_location(void);

void *reallocarray(void *old, size_t count, size_t size) {
  if (size && count > (size_t)-1 / size) {
    *__errno_location() = 12;
    return 0;
  }
  return realloc(old, count * size);
}

int nanosleep(const struct timespec *time, struct timespec *rest) {
  if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec > 999999999) {
    *__errno_location() = 22;
    return -1;
  }
  return 0;
}

/* A file can be opened, or not. What is done with it later is not modelled. */
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __unmodelled(void);
static char streams[16];
static int opened;
static void *__VERIFIER_atomic_stream(void) {
  if (opened == 16)
    __unmodelled();
  return &streams[opened++];
}
void *fopen(const char *name, const char *mode) {
  int error = __VERIFIER_nondet_int();
  if (error == 0)
    return __VERIFIER_atomic_stream();
  __VERIFIER_assume(error > 0);
  *__errno_location() = error;
  return 0;
}

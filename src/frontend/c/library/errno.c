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

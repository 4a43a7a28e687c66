/* Clocks, of <time.h> and <sys/time.h>. */

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);
void __unmodelled(void);

struct timespec { long tv_sec, tv_nsec; };
struct timeval { long tv_sec, tv_usec; };

/* The time that the program has taken never goes back. */
static long taken;
static long __VERIFIER_atomic_later(void) {
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= taken);
  taken = now;
  return now;
}
long clock(void) { return __VERIFIER_atomic_later(); }

static long below(long end) {
  long number = __VERIFIER_nondet_long();
  __VERIFIER_assume(number >= 0 && number < end);
  return number;
}

/* Before the year 36,000, and where that has room half of what a clock can tell: who adds to it does not overflow. */
static long seconds(void) { return below(sizeof(long) == 8 ? 1L << (sizeof(long) * 8 - 24) : 1L << 30); }

int gettimeofday(struct timeval *now, void *zone) {
  if (zone)
    __unmodelled();
  now->tv_sec = seconds();
  now->tv_usec = below(1000000);
  return 0;
}

static struct timespec elapsed;
static struct timespec __VERIFIER_atomic_elapse(void) {
  struct timespec now;
  now.tv_sec = seconds();
  now.tv_nsec = below(1000000000);
  __VERIFIER_assume(now.tv_sec > elapsed.tv_sec || (now.tv_sec == elapsed.tv_sec && now.tv_nsec >= elapsed.tv_nsec));
  elapsed = now;
  return now;
}
int clock_gettime(int clock, struct timespec *now) {
  if (clock == 0) {
    now->tv_sec = seconds();
    now->tv_nsec = below(1000000000);
  } else if (clock == 1) {
    *now = __VERIFIER_atomic_elapse();
  } else {
    __unmodelled();
  }
  return 0;
}

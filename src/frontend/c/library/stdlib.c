/* <stdlib.h>, <time.h> and the like. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);
void *memcpy(void *target, const void *source, size_t size);

int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }

/* Equal elements keep their order, as they do in the GNU library. */
void qsort(void *start, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *elements = start;
  size_t i, j;
  if (count < 2 || size == 0)
    return;
  char held[size];
  for (i = 1; i < count; i++)
    for (j = i; j > 0 && compare(elements + (j - 1) * size, elements + j * size) > 0; j--) {
      memcpy(held, elements + (j - 1) * size, size);
      memcpy(elements + (j - 1) * size, elements + j * size, size);
      memcpy(elements + j * size, held, size);
    }
}

void *bsearch(const void *key, const void *start, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *elements = start;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare(key, elements + middle * size);
    if (order == 0)
      return (void *)(elements + middle * size);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

/* Which numbers come is not specified. */
int rand(void) {
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= 0);
  return number;
}
int rand_r(unsigned *seed) {
  *seed = (unsigned)__VERIFIER_nondet_int();
  return rand();
}
void srand(unsigned seed) {}
long random(void) { return rand(); }
void srandom(unsigned seed) {}

long time(long *now) {
  long seconds = __VERIFIER_nondet_long();
  if (now)
    *now = seconds;
  return seconds;
}

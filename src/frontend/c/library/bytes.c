/* Bytes and bits: parts of <string.h>, <strings.h>, <arpa/inet.h>, <search.h>, <inttypes.h>, <stdlib.h>. */

typedef __typeof__(sizeof(0)) size_t;
typedef long long intmax_t;

unsigned htonl(unsigned n) { return n << 24 | (n & 0xff00) << 8 | (n >> 8 & 0xff00) | n >> 24; }
unsigned ntohl(unsigned n) { return htonl(n); }
unsigned short htons(unsigned short n) { return (unsigned short)(n << 8 | n >> 8); }
unsigned short ntohs(unsigned short n) { return htons(n); }

int ffsll(long long n) { return n ? __builtin_ctzll(n) + 1 : 0; }
int ffsl(long n) { return ffsll(n); }
int ffs(int n) { return ffsll(n); }

void explicit_bzero(void *start, size_t size) {
  char *bytes = start;
  size_t i;
  for (i = 0; i < size; i++)
    bytes[i] = 0;
}
void *memfrob(void *start, size_t size) {
  char *bytes = start;
  size_t i;
  for (i = 0; i < size; i++)
    bytes[i] ^= 42;
  return start;
}

/* How long the result would be; it is cut where there is no room. */
size_t strlcpy(char *target, const char *source, size_t size) {
  size_t i = 0;
  for (; source[i]; i++)
    if (i + 1 < size)
      target[i] = source[i];
  if (size > 0)
    target[i < size ? i : size - 1] = 0;
  return i;
}
size_t strlcat(char *target, const char *source, size_t size) {
  size_t length = 0;
  while (length < size && target[length])
    length++;
  return length + strlcpy(target + length, source, size - length);
}

void *lfind(const void *key, const void *start, size_t *count, size_t size,
            int (*compare)(const void *, const void *)) {
  const char *elements = start;
  size_t i;
  for (i = 0; i < *count; i++)
    if (compare(key, elements + i * size) == 0)
      return (void *)(elements + i * size);
  return 0;
}
void *lsearch(const void *key, void *start, size_t *count, size_t size,
              int (*compare)(const void *, const void *)) {
  void *found = lfind(key, start, count, size, compare);
  size_t i;
  if (found)
    return found;
  found = (char *)start + *count * size;
  for (i = 0; i < size; i++)
    ((char *)found)[i] = ((const char *)key)[i];
  ++*count;
  return found;
}

struct element { struct element *next, *previous; };
void insque(void *element, void *previous) {
  struct element *new = element, *before = previous;
  if (!before) {
    new->next = 0;
    new->previous = 0;
    return;
  }
  struct element *after = before->next;
  before->next = new;
  new->previous = before;
  new->next = after;
  if (after)
    after->previous = new;
}
void remque(void *element) {
  struct element *next = ((struct element *)element)->next, *previous = ((struct element *)element)->previous;
  if (next)
    next->previous = previous;
  if (previous)
    previous->next = next;
}

/* As `qsort`, with an argument for the comparison. */
void qsort_r(void *start, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *argument) {
  char *elements = start;
  size_t i, j, k;
  for (i = 1; i < count; i++)
    for (j = i; j > 0 && compare(elements + (j - 1) * size, elements + j * size, argument) > 0; j--)
      for (k = 0; k < size; k++) {
        char byte = elements[(j - 1) * size + k];
        elements[(j - 1) * size + k] = elements[j * size + k];
        elements[j * size + k] = byte;
      }
}

typedef struct { intmax_t quot, rem; } imaxdiv_t;
intmax_t imaxabs(intmax_t n) { return n < 0 ? -n : n; }
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){a / b, a % b}; }

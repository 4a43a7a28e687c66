/* <string.h> and <strings.h>. */

typedef __typeof__(sizeof(0)) size_t;

void *malloc(size_t size);
void *memcpy(void *target, const void *source, size_t size);
/* What was copied and where to do not overlap. */
void __tandem_apart(const void *target, const void *source, size_t size);
static int upper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

char *stpcpy(char *target, const char *source) {
  size_t i = 0;
  while ((target[i] = source[i]))
    i++;
  __tandem_apart(target, source, i + 1);
  return target + i;
}

char *strcpy(char *target, const char *source) {
  stpcpy(target, source);
  return target;
}

char *stpncpy(char *target, const char *source, size_t most) {
  size_t i = 0, end;
  for (; i < most && source[i]; i++)
    target[i] = source[i];
  end = i;
  __tandem_apart(target, source, end);
  for (; i < most; i++)
    target[i] = 0;
  return target + end;
}

char *strncpy(char *target, const char *source, size_t most) {
  stpncpy(target, source, most);
  return target;
}

char *strcat(char *target, const char *source) {
  stpcpy(target + strlen(target), source);
  return target;
}

char *strncat(char *target, const char *source, size_t most) {
  char *end = target + strlen(target);
  size_t i = 0;
  for (; i < most && source[i]; i++)
    end[i] = source[i];
  end[i] = 0;
  __tandem_apart(end, source, i);
  return target;
}

int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i])
    i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strncmp(const char *a, const char *b, size_t most) {
  size_t i = 0;
  if (most == 0)
    return 0;
  while (i + 1 < most && a[i] && a[i] == b[i])
    i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

int strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && upper((unsigned char)a[i]) == upper((unsigned char)b[i]))
    i++;
  return upper((unsigned char)a[i]) - upper((unsigned char)b[i]);
}

int strncasecmp(const char *a, const char *b, size_t most) {
  size_t i = 0;
  if (most == 0)
    return 0;
  while (i + 1 < most && a[i] && upper((unsigned char)a[i]) == upper((unsigned char)b[i]))
    i++;
  return upper((unsigned char)a[i]) - upper((unsigned char)b[i]);
}

char *strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  char *found = 0;
  for (;; s++) {
    if (*s == (char)c)
      found = (char *)s;
    if (!*s)
      return found;
  }
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

size_t strspn(const char *s, const char *accepted) {
  size_t n = 0;
  while (s[n] && strchr(accepted, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *rejected) {
  size_t n = 0;
  while (s[n] && !strchr(rejected, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *wanted) {
  s += strcspn(s, wanted);
  return *s ? (char *)s : 0;
}

char *strstr(const char *s, const char *wanted) {
  size_t i;
  for (;; s++) {
    for (i = 0; wanted[i] && s[i] == wanted[i]; i++)
      ;
    if (!wanted[i])
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *strtok_r(char *s, const char *separators, char **rest) {
  char *end;
  if (!s)
    s = *rest;
  s += strspn(s, separators);
  if (!*s) {
    *rest = s;
    return 0;
  }
  end = s + strcspn(s, separators);
  if (*end)
    *end++ = 0;
  *rest = end;
  return s;
}

char *__strtok_r(char *s, const char *separators, char **rest) { return strtok_r(s, separators, rest); }

char *strtok(char *s, const char *separators) {
  static char *rest;
  return strtok_r(s, separators, &rest);
}

char *strsep(char **s, const char *separators) {
  char *start = *s, *end;
  if (!start)
    return 0;
  end = start + strcspn(start, separators);
  if (*end) {
    *end = 0;
    *s = end + 1;
  } else
    *s = 0;
  return start;
}

char *strndup(const char *s, size_t most) {
  size_t n = strnlen(s, most);
  char *copy = malloc(n + 1);
  if (!copy)
    return 0;
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *__strndup(const char *s, size_t most) { return strndup(s, most); }

char *strdup(const char *s) {
  size_t n = strlen(s) + 1;
  char *copy = malloc(n);
  if (!copy)
    return 0;
  return memcpy(copy, s, n);
}

char *__strdup(const char *s) { return strdup(s); }

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  size_t i;
  for (i = 0; i < size; i++)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }

void *memchr(const void *s, int c, size_t size) {
  const unsigned char *bytes = s;
  size_t i;
  for (i = 0; i < size; i++)
    if (bytes[i] == (unsigned char)c)
      return (void *)(bytes + i);
  return 0;
}

void *rawmemchr(const void *s, int c) {
  const unsigned char *bytes = s;
  while (*bytes != (unsigned char)c)
    bytes++;
  return (void *)bytes;
}

void *memrchr(const void *s, int c, size_t size) {
  const unsigned char *bytes = s;
  while (size > 0)
    if (bytes[--size] == (unsigned char)c)
      return (void *)(bytes + size);
  return 0;
}

void *memccpy(void *target, const void *source, int c, size_t size) {
  unsigned char *to = target;
  const unsigned char *from = source;
  size_t i;
  for (i = 0; i < size; i++) {
    to[i] = from[i];
    if (from[i] == (unsigned char)c)
      return to + i + 1;
  }
  return 0;
}

void *memmem(const void *s, size_t size, const void *wanted, size_t length) {
  const unsigned char *bytes = s;
  size_t i;
  for (i = 0; length <= size && i <= size - length; i++)
    if (memcmp(bytes + i, wanted, length) == 0)
      return (void *)(bytes + i);
  return 0;
}

void bcopy(const void *source, void *target, size_t size) {
  void *memmove(void *target, const void *source, size_t size);
  memmove(target, source, size);
}

void swab(const void *source, void *target, long size) {
  const char *from = source;
  char *to = target;
  for (; size > 1; size -= 2) {
    char first = from[0], second = from[1];
    to[0] = second;
    to[1] = first;
    from += 2;
    to += 2;
  }
}

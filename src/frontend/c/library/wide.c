/* Wide characters in memory and in strings, of <wchar.h>, and their classes in the C locale, of <wctype.h>. */

typedef __typeof__(sizeof(0)) size_t;
typedef __typeof__(L'a') wchar_t;

void *malloc(size_t size);

wchar_t *wmemset(wchar_t *target, wchar_t c, size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    target[i] = c;
  return target;
}
wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count) {
  return __builtin_memmove(target, source, count * sizeof(wchar_t));
}
wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count) {
  return __builtin_memcpy(target, source, count * sizeof(wchar_t));
}
wchar_t *wmempcpy(wchar_t *target, const wchar_t *source, size_t count) {
  return wmemcpy(target, source, count) + count;
}
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}
wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    if (s[i] == c)
      return (wchar_t *)s + i;
  return 0;
}

size_t wcslen(const wchar_t *s) {
  size_t i = 0;
  while (s[i])
    i++;
  return i;
}
size_t wcsnlen(const wchar_t *s, size_t most) {
  size_t i = 0;
  while (i < most && s[i])
    i++;
  return i;
}
wchar_t *wcpcpy(wchar_t *target, const wchar_t *source) {
  while ((*target = *source)) {
    target++;
    source++;
  }
  return target;
}
wchar_t *wcscpy(wchar_t *target, const wchar_t *source) {
  wcpcpy(target, source);
  return target;
}
wchar_t *wcpncpy(wchar_t *target, const wchar_t *source, size_t most) {
  size_t i = 0, length;
  for (; i < most && source[i]; i++)
    target[i] = source[i];
  length = i;
  for (; i < most; i++)
    target[i] = 0;
  return target + length;
}
wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t most) {
  wcpncpy(target, source, most);
  return target;
}
wchar_t *wcscat(wchar_t *target, const wchar_t *source) {
  wcpcpy(target + wcslen(target), source);
  return target;
}
wchar_t *wcsncat(wchar_t *target, const wchar_t *source, size_t most) {
  size_t length = wcslen(target), i = 0;
  for (; i < most && source[i]; i++)
    target[length + i] = source[i];
  target[length + i] = 0;
  return target;
}
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
  size_t i;
  for (i = 0; i < most; i++) {
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
    if (!a[i])
      return 0;
  }
  return 0;
}
int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, (size_t)-1); }
int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }
wchar_t *wcschrnul(const wchar_t *s, wchar_t c) {
  while (*s && *s != c)
    s++;
  return (wchar_t *)s;
}
wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  s = wcschrnul(s, c);
  return *s == c ? (wchar_t *)s : 0;
}
wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *found = 0;
  for (;; s++) {
    if (*s == c)
      found = s;
    if (!*s)
      return (wchar_t *)found;
  }
}
size_t wcsspn(const wchar_t *s, const wchar_t *accepted) {
  size_t i = 0;
  while (s[i] && wcschr(accepted, s[i]))
    i++;
  return i;
}
size_t wcscspn(const wchar_t *s, const wchar_t *rejected) {
  size_t i = 0;
  while (s[i] && !wcschr(rejected, s[i]))
    i++;
  return i;
}
wchar_t *wcspbrk(const wchar_t *s, const wchar_t *wanted) {
  s += wcscspn(s, wanted);
  return *s ? (wchar_t *)s : 0;
}
wchar_t *wcsstr(const wchar_t *s, const wchar_t *wanted) {
  size_t length = wcslen(wanted);
  for (;; s++) {
    if (wcsncmp(s, wanted, length) == 0)
      return (wchar_t *)s;
    if (!*s)
      return 0;
  }
}
wchar_t *wcswcs(const wchar_t *s, const wchar_t *wanted) { return wcsstr(s, wanted); }
wchar_t *wcsdup(const wchar_t *s) {
  size_t count = wcslen(s) + 1;
  return wmemcpy(malloc(count * sizeof(wchar_t)), s, count);
}

int iswdigit(unsigned c) { return c >= '0' && c <= '9'; }
int iswlower(unsigned c) { return c >= 'a' && c <= 'z'; }
int iswupper(unsigned c) { return c >= 'A' && c <= 'Z'; }
int iswalpha(unsigned c) { return iswlower(c) || iswupper(c); }
int iswalnum(unsigned c) { return iswalpha(c) || iswdigit(c); }
int iswblank(unsigned c) { return c == ' ' || c == '\t'; }
int iswspace(unsigned c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int iswcntrl(unsigned c) { return c < 32 || c == 127; }
int iswprint(unsigned c) { return c >= 32 && c < 127; }
int iswgraph(unsigned c) { return c > 32 && c < 127; }
int iswpunct(unsigned c) { return iswgraph(c) && !iswalnum(c); }
int iswxdigit(unsigned c) { return iswdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
unsigned towlower(unsigned c) { return iswupper(c) ? c + ('a' - 'A') : c; }
unsigned towupper(unsigned c) { return iswlower(c) ? c - ('a' - 'A') : c; }

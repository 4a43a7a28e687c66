// expect: safe
// unknown: symbolic
typedef __typeof__(sizeof(0)) size_t;
extern void abort(void);
extern void reach_error(void);
extern size_t strlen(const char *), strnlen(const char *, size_t), strspn(const char *, const char *);
extern size_t strcspn(const char *, const char *);
extern char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t), *strcat(char *, const char *);
extern char *strncat(char *, const char *, size_t), *strchr(const char *, int), *strrchr(const char *, int);
extern char *strstr(const char *, const char *), *strdup(const char *), *strndup(const char *, size_t);
extern char *strpbrk(const char *, const char *), *stpcpy(char *, const char *), *strtok(char *, const char *);
extern int strcmp(const char *, const char *), strncmp(const char *, const char *, size_t);
extern int strcasecmp(const char *, const char *);
extern int memcmp(const void *, const void *, size_t), bcmp(const void *, const void *, size_t);
extern void *memchr(const void *, int, size_t);
extern void *memset(void *, int, size_t), free(void *);
static void check(int condition) { if (!condition) reach_error(); }
int main(void) {
  char a[16], *p;
  const char *text = "hello, world";
  check(strlen(text) == 12 && strlen("") == 0 && strnlen(text, 3) == 3 && strnlen("ab", 9) == 2);
  check(strcpy(a, "abc") == a && a[2] == 'c' && a[3] == 0);
  memset(a, 'x', sizeof a);
  check(strncpy(a, "ab", 4) == a && a[1] == 'b' && a[2] == 0 && a[3] == 0 && a[4] == 'x');
  check(strncpy(a, "abcdef", 3) == a && a[2] == 'c' && a[3] == 0);
  check(strcmp(strcat(a, "def"), "abcdef") == 0 && strcmp(strncat(a, "ghijk", 2), "abcdefgh") == 0);
  check(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("ab", "a") > 0 && strcmp("\xff", "a") > 0);
  check(strncmp("abc", "abd", 2) == 0 && strncmp("abc", "abd", 3) < 0 && strncmp("a", "b", 0) == 0);
  check(strncmp("a", "a", 5) == 0 && strcasecmp("aBc", "AbC") == 0 && strcasecmp("a", "B") < 0);
  check(strchr(text, 'o') == text + 4 && strrchr(text, 'o') == text + 8 && strchr(text, 0) == text + 12);
  check(strchr(text, 'z') == 0 && strrchr(text, 'z') == 0);
  check(strstr(text, "world") == text + 7 && strstr(text, "") == text && strstr(text, "worlds") == 0);
  check(strspn(text, "ehl") == 4 && strcspn(text, ", ") == 5 && strpbrk(text, "wo") == text + 4);
  check(strpbrk(text, "xyz") == 0);
  check(stpcpy(a, "xy") == a + 2);
  check(memcmp("abc", "abd", 2) == 0 && memcmp("abc", "abd", 3) < 0 && bcmp("a", "b", 1) != 0);
  check(memchr(text, 'w', 12) == (void *)(text + 7) && memchr(text, 'w', 7) == 0);
  p = strdup(text);
  check(p != text && strcmp(p, text) == 0);
  check(strcmp(strtok(p, ", "), "hello") == 0 && strcmp(strtok(0, ", "), "world") == 0 && strtok(0, ", ") == 0);
  free(p);
  p = strndup(text, 4);
  check(strcmp(p, "hell") == 0);
  free(p);
  check(__builtin_strlen("four") == 4 && __builtin_memcmp("a", "a", 1) == 0);
  return 0;
}

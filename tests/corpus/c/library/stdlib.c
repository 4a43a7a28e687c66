// expect: safe
// unknown: symbolic
typedef __typeof__(sizeof(0)) size_t;
extern void reach_error(void);
extern int isalpha(int), isdigit(int), isspace(int), isupper(int), islower(int), isalnum(int), isxdigit(int);
extern int ispunct(int), isprint(int), iscntrl(int), isgraph(int), tolower(int), toupper(int);
extern const unsigned short **__ctype_b_loc(void);
extern int abs(int), atoi(const char *);
extern long labs(long), atol(const char *), strtol(const char *, char **, int);
extern long long llabs(long long);
extern unsigned long strtoul(const char *, char **, int);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
static void check(int condition) { if (!condition) reach_error(); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int i, numbers[5] = {3, -1, 7, 0, 5}, key = 5;
  char *end;
  const char *text = " -42rest";
  for (i = 0; i < 128; i++) {
    const unsigned short class = (*__ctype_b_loc())[i];
    check(!isalpha(i) == !(class & 0x400) && !isdigit(i) == !(class & 0x800) && !isspace(i) == !(class & 0x2000));
    check(!isupper(i) == !(class & 0x100) && !islower(i) == !(class & 0x200) && !isprint(i) == !(class & 0x4000));
    check(!isalnum(i) == !(class & 8) && !ispunct(i) == !(class & 4) && !iscntrl(i) == !(class & 2));
    check(!isgraph(i) == !(class & 0x8000) && !isxdigit(i) == !(class & 0x1000));
  }
  check(tolower('Q') == 'q' && tolower('1') == '1' && toupper('z') == 'Z' && toupper('Z') == 'Z');
  check(abs(-3) == 3 && labs(-4L) == 4 && llabs(-5000000000LL) == 5000000000LL);
  check(atoi("123") == 123 && atoi("  -7x") == -7 && atoi("x") == 0 && atol("+9") == 9);
  check(atol("99999999999999999999") == (long)(~0ul >> 1) && atol("-99999999999999999999") == -(long)(~0ul >> 1) - 1);
  check(strtol(text, &end, 10) == -42 && end == text + 4);
  check(strtol("0x1fz", &end, 0) == 31 && *end == 'z' && strtol("077", 0, 0) == 63 && strtol("zz", 0, 36) == 35 * 37);
  check(strtol("0xg", &end, 16) == 0 && *end == 'x');
  check(strtol("99999999999999999999", 0, 10) == (long)(~0ul >> 1) && strtoul("-1", 0, 10) == ~0ul);
  check(strtol("-99999999999999999999", 0, 10) == -(long)(~0ul >> 1) - 1);
  qsort(numbers, 5, sizeof(int), compare);
  for (i = 1; i < 5; i++)
    check(numbers[i - 1] <= numbers[i]);
  check(bsearch(&key, numbers, 5, sizeof(int), compare) == &numbers[3]);
  key = 4;
  check(bsearch(&key, numbers, 5, sizeof(int), compare) == 0);
  return 0;
}

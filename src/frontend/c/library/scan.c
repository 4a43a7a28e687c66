/* What `sscanf` is made of. Each function is given where it is in the text, and tells where what it looks for ends there,
   or null where it is not there. Spaces before it are skipped by another one. */

typedef __typeof__(sizeof(0)) size_t;
typedef unsigned long long mask;

void __unmodelled(void);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 99;
}

const char *__text_space(const char *s) {
  while (is_space(*s))
    s++;
  return s;
}
const char *__text_literal(const char *s, int wanted) { return (unsigned char)*s == wanted ? s + 1 : 0; }
int __text_has_ended(const char *s) { return *s == 0; }

/* An integer of at most `most` characters, unless that is 0. `0x` counts as 0 where no digit follows it. */
static const char *digits(const char *s, size_t most, int *base, int *minus, int *any) {
  size_t left = most ? most : (size_t)-1;
  *any = *minus = 0;
  if (*s == '-' || *s == '+') {
    *minus = *s == '-';
    s++;
    left--;
  }
  if (left > 0 && *s == '0') {
    *any = 1;
    s++;
    left--;
    if (left > 0 && (*s == 'x' || *s == 'X') && (*base == 0 || *base == 16)) {
      *base = 16;
      s++;
      left--;
    } else if (*base == 0)
      *base = 8;
  }
  if (*base == 0)
    *base = 10;
  if (left > 0 && digit(*s) < *base)
    *any = 1;
  return s;
}
static size_t left_behind(const char *start, const char *s, size_t most) {
  return most ? most - (size_t)(s - start) : (size_t)-1;
}
const char *__text_integer_end(const char *text, int base, size_t most) {
  int minus, any;
  const char *s = digits(text, most, &base, &minus, &any);
  size_t left = left_behind(text, s, most);
  for (; left > 0 && digit(*s) < base; left--)
    s++;
  return any ? s : 0;
}
/* Its value: the nearest of so many bits where it does not fit; unsigned ones are negated where they have a minus. */
long long __text_integer(const char *text, int base, size_t most, int is_signed, int bits) {
  int minus, any, over = 0;
  unsigned long long number = 0, largest = bits == 64 ? ~0ull : 0xffffffffull;
  const char *s = digits(text, most, &base, &minus, &any);
  size_t left = left_behind(text, s, most);
  if (is_signed)
    largest = (largest >> 1) + minus;
  for (; left > 0 && digit(*s) < base; left--) {
    unsigned value = digit(*s);
    if (over || number > (largest - value) / base)
      over = 1;
    else
      number = number * base + value;
    s++;
  }
  if (over)
    return (long long)(is_signed && minus ? 0 - largest : largest);
  return (long long)(minus ? 0 - number : number);
}

/* What the GNU library reads as the start of a number and is none is not modelled, and neither are widths. */
const char *__text_double_end(const char *text, size_t most) {
  char *end;
  double value = strtod(text, &end);
  char next = *end;
  if (end == text && (*text == '-' || *text == '+' || *text == '.' || *text == 'i' || *text == 'I' || *text == 'n' || *text == 'N'))
    __unmodelled();
  if (most || !__builtin_isfinite(value) || next == 'e' || next == 'E' || next == '.' || next == 'x' || next == 'X')
    __unmodelled();
  return end == text ? 0 : end;
}
double __text_double(const char *text) { return strtod(text, 0); }
float __text_float(const char *text) { return strtof(text, 0); }

static int is_in(unsigned char c, mask a, mask b, mask d, mask e) {
  mask part = c < 64 ? a : c < 128 ? b : c < 192 ? d : e;
  return (part >> (c & 63)) & 1;
}
const char *__text_set(const char *s, char *to, int keeps, size_t most, mask a, mask b, mask d, mask e) {
  size_t n = 0;
  for (; *s && (most == 0 || n < most) && is_in((unsigned char)*s, a, b, d, e); s++) {
    if (keeps)
      to[n] = *s;
    n++;
  }
  if (n == 0)
    return 0;
  if (keeps)
    to[n] = 0;
  return s;
}
const char *__text_word(const char *s, char *to, int keeps, size_t most) {
  size_t n = 0;
  for (; *s && (most == 0 || n < most) && !is_space(*s); s++) {
    if (keeps)
      to[n] = *s;
    n++;
  }
  if (n == 0)
    return 0;
  if (keeps)
    to[n] = 0;
  return s;
}
/* The GNU library is content with fewer characters, but not with none. */
const char *__text_chars(const char *s, char *to, int keeps, size_t count) {
  size_t n;
  for (n = 0; n < count && *s; n++) {
    if (keeps)
      to[n] = *s;
    s++;
  }
  return n == 0 ? 0 : s;
}

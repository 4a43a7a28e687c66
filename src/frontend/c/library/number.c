/* Numbers in texts, of <stdlib.h>, and <errno.h>. */

static __thread int error_number;
int *__errno_location(void) { return &error_number; }

static int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 99;
}

/* The number at the start of a text: its magnitude, the largest one where it does not fit; where it ends, the start
   where there is none; whether it has a minus. */
static unsigned long long scan(const char *text, char **end, int base, unsigned long long largest, int *minus, int *over) {
  const char *s = text;
  unsigned long long number = 0;
  int any = 0;
  *over = 0;
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  *minus = *s == '-';
  if (*s == '-' || *s == '+')
    s++;
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
    s += 2;
    base = 16;
  }
  if (base == 0)
    base = *s == '0' ? 8 : 10;
  for (; digit(*s) < base; s++) {
    unsigned value = digit(*s);
    any = 1;
    if (*over || number > (largest - value) / base)
      *over = 1;
    else
      number = number * base + value;
  }
  if (end)
    *end = (char *)(any ? s : text);
  return *over ? largest : number;
}

/* The decimal number at the start of a text; the largest or the least one where it does not fit. The same as `scan_signed`
   with 10, without quotients. */
static long long scan_decimal(const char *s, unsigned long long largest) {
  unsigned long long number = 0;
  int minus, over = 0;
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  minus = *s == '-';
  if (*s == '-' || *s == '+')
    s++;
  for (; *s >= '0' && *s <= '9'; s++) {
    unsigned value = *s - '0';
    if (over || number > largest / 10 || (number == largest / 10 && value > largest % 10 + minus))
      over = 1;
    else
      number = number * 10 + value;
  }
  if (over) {
    *__errno_location() = 34;
    number = largest + minus;
  }
  if (!minus)
    return (long long)number;
  return number == 0 ? 0 : -(long long)(number - 1) - 1;
}

static long long scan_signed(const char *text, char **end, int base, long long largest) {
  int minus, over;
  unsigned long long number = scan(text, end, base, (unsigned long long)largest + 1, &minus, &over);
  if (!minus && number > (unsigned long long)largest) {
    over = 1;
    number = largest;
  }
  if (over)
    *__errno_location() = 34;
  if (!minus)
    return (long long)number;
  return number == 0 ? 0 : -(long long)(number - 1) - 1;
}

static unsigned long long scan_unsigned(const char *text, char **end, int base, unsigned long long largest) {
  int minus, over;
  unsigned long long number = scan(text, end, base, largest, &minus, &over);
  if (over) {
    *__errno_location() = 34;
    return largest;
  }
  return minus ? (0 - number) & largest : number;
}

long strtol(const char *text, char **end, int base) {
  return (long)scan_signed(text, end, base, (long)(~0ul >> 1));
}
long long strtoll(const char *text, char **end, int base) {
  return scan_signed(text, end, base, (long long)(~0ull >> 1));
}
unsigned long strtoul(const char *text, char **end, int base) {
  return (unsigned long)scan_unsigned(text, end, base, ~0ul);
}
unsigned long long strtoull(const char *text, char **end, int base) { return scan_unsigned(text, end, base, ~0ull); }
int atoi(const char *text) { return (int)scan_decimal(text, ~0ul >> 1); }
long atol(const char *text) { return (long)scan_decimal(text, ~0ul >> 1); }
long long atoll(const char *text) { return scan_decimal(text, ~0ull >> 1); }
long long strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }
long long strtoq(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtouq(const char *text, char **end, int base) { return strtoull(text, end, base); }

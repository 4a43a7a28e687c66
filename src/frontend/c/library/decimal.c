/* Decimal floating-point numbers in texts, of <stdlib.h>. A number of few digits is a whole number times or by a power of
   ten, both exact, so that one operation rounds it as it is to be rounded; what would need more is not modelled. */

void __unmodelled(void);

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* How many characters of a word are there. */
static int matched(const char *s, const char *word) {
  int n = 0;
  while (word[n] && small(s[n]) == word[n])
    n++;
  return n;
}

/* The digits, with how often they are to be multiplied by ten; zero where it starts with no number. */
static const char *scan(const char *s, unsigned long long *digits, int *exponent) {
  int any = 0, behind = 0, dropped = 0;
  unsigned long long number = 0;
  for (;; s++) {
    if (*s == '.' && !behind && (any || is_digit(s[1]))) {
      behind = 1;
      continue;
    }
    if (!is_digit(*s))
      break;
    any = 1;
    if (number > 999999999999999ull) {
      if (*s != '0')
        __unmodelled();
      dropped++;
    } else
      number = number * 10 + (unsigned)(*s - '0');
    if (behind)
      *exponent = *exponent - 1;
  }
  if (!any)
    return 0;
  *exponent = *exponent + dropped;
  if (*s == 'e' || *s == 'E') {
    const char *t = s + 1;
    int minus = *t == '-', power = 0;
    if (*t == '-' || *t == '+')
      t++;
    if (is_digit(*t)) {
      for (; is_digit(*t); t++)
        if (power < 100000)
          power = power * 10 + (*t - '0');
      *exponent = *exponent + (minus ? -power : power);
      s = t;
    }
  }
  *digits = number;
  return s;
}

static double power_of_ten(int exponent) {
  double power = 1;
  for (; exponent > 0; exponent--)
    power = power * 10;
  return power;
}

/* The start of a number; minus or not. */
static const char *start(const char *s, int *minus) {
  while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
    s++;
  *minus = *s == '-';
  if (*s == '-' || *s == '+')
    s++;
  return s;
}

double strtod(const char *text, char **end) {
  int minus, exponent = 0;
  unsigned long long digits = 0;
  double value;
  const char *s = start(text, &minus), *after;
  if (s[0] == '0' && small(s[1]) == 'x')
    __unmodelled();
  if (matched(s, "inf") == 3) {
    value = __builtin_inf();
    after = s + (matched(s, "infinity") == 8 ? 8 : 3);
  } else if (matched(s, "nan") == 3) {
    if (s[3] == '(')
      __unmodelled();
    value = __builtin_nan("");
    after = s + 3;
  } else {
    after = scan(s, &digits, &exponent);
    if (!after) {
      if (end)
        *end = (char *)text;
      return 0;
    }
    while (digits && digits % 10 == 0 && exponent < 0) {
      digits = digits / 10;
      exponent++;
    }
    if (digits == 0)
      exponent = 0;
    if (digits > 9007199254740992ull || exponent < -22 || exponent > 22)
      __unmodelled();
    value = (double)digits;
    value = exponent < 0 ? value / power_of_ten(-exponent) : value * power_of_ten(exponent);
  }
  if (end)
    *end = (char *)after;
  return minus ? -value : value;
}
double atof(const char *text) { return strtod(text, 0); }

/* Rounding twice can be wrong where the first result is right between two floats. */
float strtof(const char *text, char **end) {
  double value = strtod(text, end);
  float near = (float)value;
  if (__builtin_isnan(value) || (double)near == value)
    return near;
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, 8);
  if ((bits & 0x1fffffff) == 0x10000000 || value < 0x1p-100 && value > -0x1p-100 || value > 0x1p100 || value < -0x1p100)
    __unmodelled();
  return near;
}

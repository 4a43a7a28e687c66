/* Floating-point numbers in text, for `sprintf` and `snprintf`: exact, rounded to the nearest and to even between two. The
   digits of a number are in parts of nine, the whole ones before the others. */

typedef __typeof__(sizeof(0)) size_t;
typedef unsigned long long number;

/* 35 parts hold what is before the point, 120 what is behind it. */
enum { WHOLE = 35, PARTS = 155, PART = 1000000000 };

static size_t put(char *to, size_t room, size_t done, char c) {
  if (done + 1 < room)
    to[done] = c;
  return done + 1;
}
static size_t fill(char *to, size_t room, size_t done, char c, int count) {
  for (; count > 0; count--)
    done = put(to, room, done, c);
  return done;
}

/* The digits of a number that is finite; `first` and `last` are the parts that are not zero. */
struct digits { unsigned part[PARTS]; int first, last; };

static void read_digits(struct digits *digits, number mantissa, int exponent) {
  int i;
  for (i = 0; i < PARTS; i++)
    digits->part[i] = 0;
  digits->part[WHOLE - 1] = (unsigned)(mantissa % PART);
  digits->part[WHOLE - 2] = (unsigned)(mantissa / PART);
  digits->first = WHOLE - 2;
  digits->last = WHOLE - 1;
  while (exponent > 0) {
    int step = exponent > 29 ? 29 : exponent;
    number carry = 0;
    for (i = digits->last; i >= digits->first; i--) {
      number value = ((number)digits->part[i] << step) + carry;
      digits->part[i] = (unsigned)(value % PART);
      carry = value / PART;
    }
    if (carry) {
      digits->first--;
      digits->part[digits->first] = (unsigned)carry;
    }
    exponent -= step;
  }
  while (exponent < 0) {
    int step = exponent < -9 ? 9 : -exponent;
    unsigned carry = 0;
    for (i = digits->first; i <= digits->last; i++) {
      unsigned rest = digits->part[i] & ((1u << step) - 1);
      digits->part[i] = (digits->part[i] >> step) + carry;
      carry = (PART >> step) * rest;
    }
    if (carry) {
      digits->last++;
      digits->part[digits->last] = carry;
    }
    exponent += step;
  }
}

/* Where a digit is, by its place: 0 is right before the point, -1 right behind it. */
static int part_of(int place) { return place >= 0 ? WHOLE - 1 - place / 9 : WHOLE + (-place - 1) / 9; }
static unsigned unit_of(int place) {
  int inside = place >= 0 ? place % 9 : 8 - (-place - 1) % 9;
  unsigned unit = 1;
  for (; inside > 0; inside--)
    unit = unit * 10;
  return unit;
}
static int digit(const struct digits *digits, int place) {
  int part = part_of(place);
  if (part < digits->first || part > digits->last)
    return 0;
  return (int)(digits->part[part] / unit_of(place) % 10);
}
/* The place of the first digit that is not zero; 0 where there is none. */
static int leading(const struct digits *digits) {
  int part = digits->first, place;
  while (part <= digits->last && digits->part[part] == 0)
    part++;
  if (part > digits->last)
    return 0;
  place = 9 * (WHOLE - part) - 1;
  while (digit(digits, place) == 0)
    place--;
  return place;
}

/* Whether a digit behind a place is not zero. */
static int any_behind(const struct digits *digits, int place) {
  int part = part_of(place);
  if (part < digits->first)
    part = digits->first;
  else if (part <= digits->last && digits->part[part] % unit_of(place))
    return 1;
  else
    part++;
  for (; part <= digits->last; part++)
    if (digits->part[part])
      return 1;
  return 0;
}
/* Rounds so that the last digit is at a place. */
static void round_at(struct digits *digits, int place) {
  int next = digit(digits, place - 1), part = part_of(place);
  if (next < 5 || (next == 5 && digit(digits, place) % 2 == 0 && !any_behind(digits, place - 1)))
    return;
  digits->part[part] += unit_of(place);
  while (digits->part[part] >= PART) {
    digits->part[part] -= PART;
    part--;
    digits->part[part]++;
  }
  if (part < digits->first)
    digits->first = part;
}

/* A number in the style of `f`, `e` or `g`; a negative precision is none, and `sign` is what a positive one has, or 0. */
size_t __format_double(char *to, size_t room, size_t done, double value, int style, int large, int sign, int left,
                       int zero, int alternate, int width, int precision) {
  struct digits digits;
  number bits;
  int exponent, place, lead, shown, length, padding, i, has_exponent = style == 'e', power = 0;
  __builtin_memcpy(&bits, &value, 8);
  if (bits >> 63)
    sign = '-';
  if (width < 0) {
    left = 1;
    width = -width;
  }
  exponent = (int)(bits >> 52 & 2047);
  bits = bits & 0xfffffffffffffull;
  if (exponent == 2047) {
    const char *text = bits ? (large ? "NAN" : "nan") : (large ? "INF" : "inf");
    padding = width - 3 - (sign != 0);
    if (!left)
      done = fill(to, room, done, ' ', padding);
    if (sign)
      done = put(to, room, done, (char)sign);
    for (i = 0; i < 3; i++)
      done = put(to, room, done, text[i]);
    return left ? fill(to, room, done, ' ', padding) : done;
  }
  if (precision < 0)
    precision = 6;
  read_digits(&digits, exponent ? bits | 1ull << 52 : bits, (exponent ? exponent : 1) - 1075);
  lead = leading(&digits);
  if (style == 'g') {
    if (precision == 0)
      precision = 1;
    round_at(&digits, lead - precision + 1);
    lead = leading(&digits);
    has_exponent = lead < -4 || lead >= precision;
    precision = has_exponent ? precision - 1 : precision - 1 - lead;
    place = has_exponent ? lead - precision : -precision;
    if (!alternate)
      while (precision > 0 && digit(&digits, place) == 0) {
        precision--;
        place++;
      }
  } else {
    round_at(&digits, has_exponent ? lead - precision : -precision);
    lead = leading(&digits);
  }
  if (has_exponent)
    power = lead;
  shown = has_exponent || lead < 0 ? 1 : lead + 1;
  length = shown + precision + (precision > 0 || alternate) + (sign != 0);
  if (has_exponent)
    length += power >= 100 || power <= -100 ? 5 : 4;
  padding = width - length;
  if (!left && !zero)
    done = fill(to, room, done, ' ', padding);
  if (sign)
    done = put(to, room, done, (char)sign);
  if (!left && zero)
    done = fill(to, room, done, '0', padding);
  place = has_exponent ? lead : shown - 1;
  for (i = 0; i < shown; i++)
    done = put(to, room, done, (char)('0' + digit(&digits, place - i)));
  if (precision > 0 || alternate)
    done = put(to, room, done, '.');
  for (i = 0; i < precision; i++)
    done = put(to, room, done, (char)('0' + digit(&digits, place - shown - i)));
  if (has_exponent) {
    done = put(to, room, done, large ? 'E' : 'e');
    done = put(to, room, done, power < 0 ? '-' : '+');
    if (power < 0)
      power = -power;
    if (power >= 100)
      done = put(to, room, done, (char)('0' + power / 100));
    done = put(to, room, done, (char)('0' + power / 10 % 10));
    done = put(to, room, done, (char)('0' + power % 10));
  }
  return left ? fill(to, room, done, ' ', padding) : done;
}

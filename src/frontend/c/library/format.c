/* Text in memory: what `sprintf` and `snprintf` are made of, a part of the format at a time. Each function writes its part
   behind the `done` characters that are there, as far as there is room before the zero, and tells how many there are then. */

typedef __typeof__(sizeof(0)) size_t;
typedef unsigned long long number;

static size_t put(char *to, size_t room, size_t done, char c) {
  if (done + 1 < room)
    to[done] = c;
  return done + 1;
}
static size_t fill(char *to, size_t room, size_t done, char c, size_t count) {
  for (; count > 0; count--)
    done = put(to, room, done, c);
  return done;
}

size_t __format_char(char *to, size_t room, size_t done, int c, int width, int left) {
  size_t padding;
  if (width < 0) {
    left = 1;
    width = -width;
  }
  padding = width > 1 ? width - 1 : 0;
  if (!left)
    done = fill(to, room, done, ' ', padding);
  done = put(to, room, done, (char)c);
  return left ? fill(to, room, done, ' ', padding) : done;
}

/* A text; a negative precision is none. */
size_t __format_text(char *to, size_t room, size_t done, const char *text, int width, int left, int precision) {
  size_t length = 0, padding, i;
  if (text == to)
    __builtin_unreachable();
  if (width < 0) {
    left = 1;
    width = -width;
  }
  while ((precision < 0 || length < (size_t)precision) && text[length])
    length++;
  padding = (size_t)width > length ? width - length : 0;
  if (!left)
    done = fill(to, room, done, ' ', padding);
  for (i = 0; i < length; i++)
    done = put(to, room, done, text[i]);
  return left ? fill(to, room, done, ' ', padding) : done;
}

/* An integer: its magnitude, the sign before it or 0, its base, and whether letters are large. A negative precision is none. */
size_t __format_integer(char *to, size_t room, size_t done, number value, int sign, int base, int large, int left,
                        int zero, int alternate, int width, int precision) {
  char digits[24];
  size_t count = 0, zeros = 0, prefix = 0, total;
  number rest = value;
  if (width < 0) {
    left = 1;
    width = -width;
  }
  while (rest) {
    int digit = (int)(rest % base);
    digits[count] = (char)(digit < 10 ? '0' + digit : (large ? 'A' : 'a') + digit - 10);
    count++;
    rest = rest / base;
  }
  if (precision < 0 && count == 0)
    zeros = 1;
  if (precision >= 0 && (size_t)precision > count)
    zeros = precision - count;
  if (alternate && base == 8 && zeros == 0)
    zeros = 1;
  if (alternate && base == 16 && value)
    prefix = 2;
  total = count + zeros + prefix + (sign ? 1 : 0);
  if (zero && !left && precision < 0 && (size_t)width > total) {
    zeros += width - total;
    total = width;
  }
  if (!left && (size_t)width > total)
    done = fill(to, room, done, ' ', width - total);
  if (sign)
    done = put(to, room, done, (char)sign);
  if (prefix) {
    done = put(to, room, done, '0');
    done = put(to, room, done, large ? 'X' : 'x');
  }
  done = fill(to, room, done, '0', zeros);
  for (; count > 0; count--)
    done = put(to, room, done, digits[count - 1]);
  return left && (size_t)width > total ? fill(to, room, done, ' ', width - total) : done;
}
size_t __format_signed(char *to, size_t room, size_t done, long long value, int sign, int base, int large, int left,
                       int zero, int alternate, int width, int precision) {
  number magnitude = value < 0 ? 0 - (number)value : (number)value;
  return __format_integer(to, room, done, magnitude, value < 0 ? '-' : sign, base, large, left, zero, alternate, width,
                          precision);
}

/* The zero at the end. */
int __format_end(char *to, size_t room, size_t done) {
  if (room > 0)
    to[done < room ? done : room - 1] = 0;
  return (int)done;
}

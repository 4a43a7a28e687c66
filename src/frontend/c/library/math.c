/* <math.h>: the functions whose results are exact or correctly rounded. `errno` is as the GNU library sets it. */

int *__errno_location(void);

int __isnan(double x) { return __builtin_isnan(x); }
int __isinf(double x) { return __builtin_isinf_sign(x); }
int __finite(double x) { return __builtin_isfinite(x); }
int __signbit(double x) { return __builtin_signbit(x) ? 128 : 0; }
int __fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int isnan(double x) { return __builtin_isnan(x); }
int isinf(double x) { return __builtin_isinf_sign(x); }
int finite(double x) { return __builtin_isfinite(x); }

double fabs(double x) { return __builtin_fabs(x); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }
double nan(const char *tag) { return __builtin_nan(""); }

/* From 0x1p52 on every number is whole; below it, `long long` holds every whole part. */
double trunc(double x) {
  if (!(__builtin_fabs(x) < 0x1p52))
    return x;
  return __builtin_copysign((double)(long long)x, x);
}
double floor(double x) {
  double whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}
double ceil(double x) {
  double whole = trunc(x);
  return whole < x ? __builtin_copysign(whole + 1, x) : whole;
}
double round(double x) {
  double whole = trunc(x);
  double rest = __builtin_fabs(x - whole);
  return rest >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}
/* To the nearest, of two the even one: the rounding that a program starts with. */
double rint(double x) {
  double whole = trunc(x);
  double rest = __builtin_fabs(x - whole);
  if (rest > 0.5 || (rest == 0.5 && (long long)whole % 2 != 0))
    return whole + __builtin_copysign(1, x);
  return whole;
}
double nearbyint(double x) { return rint(x); }
long lrint(double x) { return (long)rint(x); }
long long llrint(double x) { return (long long)rint(x); }
long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
double modf(double x, double *whole) {
  *whole = trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0 : x - *whole, x);
}

/* Whether it is a NaN that every operation makes another one of. */
static int is_signaling(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  return __builtin_isnan(x) && !(bits & 0x8000000000000);
}
double fmin(double x, double y) {
  if (is_signaling(x) || is_signaling(y))
    return x + y;
  if (__builtin_isnan(x))
    return y;
  return x > y ? y : x;
}
double fmax(double x, double y) {
  if (is_signaling(x) || is_signaling(y))
    return x + y;
  if (__builtin_isnan(x))
    return y;
  return x < y ? y : x;
}
double fdim(double x, double y) {
  double distance = x > y ? x - y : 0;
  if (__builtin_isnan(x) || __builtin_isnan(y))
    return x + y;
  if (__builtin_isinf(distance) && __builtin_isfinite(x) && __builtin_isfinite(y))
    *__errno_location() = 34;
  return distance;
}

/* Every difference here is exact: the numbers are within a factor of two of each other. */
double fmod(double x, double y) {
  double rest = __builtin_fabs(x), divisor = __builtin_fabs(y);
  if (__builtin_isnan(x) || __builtin_isnan(y) || __builtin_isinf(x) || divisor == 0) {
    if (!__builtin_isnan(x) && !__builtin_isnan(y))
      *__errno_location() = 33;
    return (x * y) / (x * y);
  }
  while (rest >= divisor) {
    double part = divisor;
    while (part <= rest - part)
      part = part + part;
    rest = rest - part;
  }
  return __builtin_copysign(rest, x);
}
double drem(double x, double y) {
  double rest = __builtin_fabs(x), divisor = __builtin_fabs(y);
  int odd = 0;
  if (__builtin_isnan(x) || __builtin_isnan(y) || __builtin_isinf(x) || divisor == 0) {
    if (!__builtin_isnan(x) && !__builtin_isnan(y))
      *__errno_location() = 33;
    return (x * y) / (x * y);
  }
  while (rest >= divisor) {
    double part = divisor;
    if (part > rest - part)
      odd = !odd;
    while (part <= rest - part)
      part = part + part;
    rest = rest - part;
  }
  /* Now the rest is below the divisor; it goes to the nearest multiple, of two to the even one. */
  if (rest > divisor - rest || (rest == divisor - rest && odd))
    rest = rest - divisor;
  return __builtin_signbit(x) ? -rest : rest;
}
double remainder(double x, double y) { return drem(x, y); }

double frexp(double x, int *exponent) {
  int e = 0;
  if (x != 0 && __builtin_isfinite(x)) {
    while (__builtin_fabs(x) >= 1) {
      x = x * 0.5;
      e++;
    }
    while (__builtin_fabs(x) < 0.5) {
      x = x * 2;
      e--;
    }
  }
  *exponent = e;
  return x;
}

/* One bit of the root a turn, and one bit more than a number keeps, to round by. */
double sqrt(double x) {
  int exponent = 0;
  unsigned long long number, root = 0, rest = 0;
  int i;
  double result;
  if (x == 0 || __builtin_isnan(x) || (__builtin_isinf(x) && x > 0))
    return x;
  if (x < 0) {
    *__errno_location() = 33;
    return (x - x) / (x - x);
  }
  while (x >= 4) {
    x = x * 0.25;
    exponent++;
  }
  while (x < 1) {
    x = x * 4;
    exponent--;
  }
  /* Now 1 <= x < 4, and x has at most 52 bits behind the point. */
  number = (unsigned long long)(x * 0x1p52);
  for (i = 0; i < 54; i++) {
    unsigned long long step = 4 * root + 1;
    rest = 4 * rest + (i <= 26 ? (number >> (52 - 2 * i)) & 3 : 0);
    root = 2 * root;
    if (rest >= step) {
      rest = rest - step;
      root = root + 1;
    }
  }
  /* No root is right between two numbers. */
  root = (root >> 1) + (root & 1);
  result = (double)root / 0x1p52;
  for (; exponent > 0; exponent--)
    result = result * 2;
  for (; exponent < 0; exponent++)
    result = result * 0.5;
  return result;
}

int __isnanf(float x) { return __builtin_isnan(x); }
int __isinff(float x) { return __builtin_isinf_sign(x); }
int __finitef(float x) { return __builtin_isfinite(x); }
int __signbitf(float x) { return __builtin_signbit(x) ? 8 : 0; }
int __fpclassifyf(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
int isnanf(float x) { return __builtin_isnan(x); }
int isinff(float x) { return __builtin_isinf_sign(x); }
int finitef(float x) { return __builtin_isfinite(x); }

float fabsf(float x) { return __builtin_fabsf(x); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
float nanf(const char *tag) { return __builtin_nanf(""); }

/* From 0x1p23f on every number is whole; below it, `long long` holds every whole part. */
float truncf(float x) {
  if (!(__builtin_fabsf(x) < 0x1p23f))
    return x;
  return __builtin_copysignf((float)(long long)x, x);
}
float floorf(float x) {
  float whole = truncf(x);
  return whole > x ? whole - 1 : whole;
}
float ceilf(float x) {
  float whole = truncf(x);
  return whole < x ? __builtin_copysignf(whole + 1, x) : whole;
}
float roundf(float x) {
  float whole = truncf(x);
  float rest = __builtin_fabsf(x - whole);
  return rest >= 0.5f ? whole + __builtin_copysignf(1, x) : whole;
}
/* To the nearest, of two the even one: the rounding that a program starts with. */
float rintf(float x) {
  float whole = truncf(x);
  float rest = __builtin_fabsf(x - whole);
  if (rest > 0.5f || (rest == 0.5f && (long long)whole % 2 != 0))
    return whole + __builtin_copysignf(1, x);
  return whole;
}
float nearbyintf(float x) { return rintf(x); }
long lrintf(float x) { return (long)rintf(x); }
long long llrintf(float x) { return (long long)rintf(x); }
long lroundf(float x) { return (long)roundf(x); }
long long llroundf(float x) { return (long long)roundf(x); }
float modff(float x, float *whole) {
  *whole = truncf(x);
  return __builtin_copysignf(__builtin_isinf(x) ? 0 : x - *whole, x);
}

/* Whether it is a NaN that every operation makes another one of. */
static int is_signalingf(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, 4);
  return __builtin_isnan(x) && !(bits & 0x400000);
}
float fminf(float x, float y) {
  if (is_signalingf(x) || is_signalingf(y))
    return x + y;
  if (__builtin_isnan(x))
    return y;
  return x > y ? y : x;
}
float fmaxf(float x, float y) {
  if (is_signalingf(x) || is_signalingf(y))
    return x + y;
  if (__builtin_isnan(x))
    return y;
  return x < y ? y : x;
}
float fdimf(float x, float y) {
  float distance = x > y ? x - y : 0;
  if (__builtin_isnan(x) || __builtin_isnan(y))
    return x + y;
  if (__builtin_isinf(distance) && __builtin_isfinite(x) && __builtin_isfinite(y))
    *__errno_location() = 34;
  return distance;
}

/* Every difference here is exact: the numbers are within a factor of two of each other. */
float fmodf(float x, float y) {
  float rest = __builtin_fabsf(x), divisor = __builtin_fabsf(y);
  if (__builtin_isnan(x) || __builtin_isnan(y) || __builtin_isinf(x) || divisor == 0) {
    if (!__builtin_isnan(x) && !__builtin_isnan(y))
      *__errno_location() = 33;
    return (x * y) / (x * y);
  }
  while (rest >= divisor) {
    float part = divisor;
    while (part <= rest - part)
      part = part + part;
    rest = rest - part;
  }
  return __builtin_copysignf(rest, x);
}
float dremf(float x, float y) {
  float rest = __builtin_fabsf(x), divisor = __builtin_fabsf(y);
  int odd = 0;
  if (__builtin_isnan(x) || __builtin_isnan(y) || __builtin_isinf(x) || divisor == 0) {
    if (!__builtin_isnan(x) && !__builtin_isnan(y))
      *__errno_location() = 33;
    return (x * y) / (x * y);
  }
  while (rest >= divisor) {
    float part = divisor;
    if (part > rest - part)
      odd = !odd;
    while (part <= rest - part)
      part = part + part;
    rest = rest - part;
  }
  /* Now the rest is below the divisor; it goes to the nearest multiple, of two to the even one. */
  if (rest > divisor - rest || (rest == divisor - rest && odd))
    rest = rest - divisor;
  return __builtin_signbit(x) ? -rest : rest;
}
float remainderf(float x, float y) { return dremf(x, y); }

float frexpf(float x, int *exponent) {
  int e = 0;
  if (x != 0 && __builtin_isfinite(x)) {
    while (__builtin_fabsf(x) >= 1) {
      x = x * 0.5f;
      e++;
    }
    while (__builtin_fabsf(x) < 0.5f) {
      x = x * 2;
      e--;
    }
  }
  *exponent = e;
  return x;
}

/* One bit of the root a turn, and one bit more than a number keeps, to round by. */
float sqrtf(float x) {
  int exponent = 0;
  unsigned long long number, root = 0, rest = 0;
  int i;
  float result;
  if (x == 0 || __builtin_isnan(x) || (__builtin_isinf(x) && x > 0))
    return x;
  if (x < 0) {
    *__errno_location() = 33;
    return (x - x) / (x - x);
  }
  while (x >= 4) {
    x = x * 0.25f;
    exponent++;
  }
  while (x < 1) {
    x = x * 4;
    exponent--;
  }
  /* Now 1 <= x < 4, and x has at most 24 bits behind the point. */
  number = (unsigned long long)(x * 0x1p24f);
  for (i = 0; i < 25; i++) {
    unsigned long long step = 4 * root + 1;
    rest = 4 * rest + (i <= 12 ? (number >> (24 - 2 * i)) & 3 : 0);
    root = 2 * root;
    if (rest >= step) {
      rest = rest - step;
      root = root + 1;
    }
  }
  /* No root is right between two numbers. */
  root = (root >> 1) + (root & 1);
  result = (float)root / 0x1p23f;
  for (; exponent > 0; exponent--)
    result = result * 2;
  for (; exponent < 0; exponent++)
    result = result * 0.5f;
  return result;
}

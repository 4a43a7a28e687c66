/* <math.h>: the functions whose results C leaves open. A result is exact where mathematics has an exact one that the GNU
   library gives; elsewhere it is any number of a range that holds what every library gives whose error is a few units in the
   last place. `errno` is as the GNU library sets it. */

double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int condition);
int *__errno_location(void);
double trunc(double x);
double sqrt(double x);

/* An execution that comes through here shows what can be, and not what is. */
double __approximate(double low, double high) {
  double y = __VERIFIER_nondet_double();
  __VERIFIER_assume(y >= low && y <= high);
  return y;
}

static double domain_error(void) {
  *__errno_location() = 33;
  return __builtin_nan("");
}
static double range_error(double y) {
  *__errno_location() = 34;
  return y;
}
/* A result that overflowed, or vanished; of a very small one the error may be told. */
static double checked(double y) {
  double size = __builtin_fabs(y);
  if (__builtin_isinf(y) || y == 0 || (size < 0x1p-1022 && __approximate(0, 1) > 0.5))
    return range_error(y);
  return y;
}
static double overflowed(double y) { return __builtin_isinf(y) ? range_error(y) : y; }

static int is_whole(double x) { return trunc(x) == x; }
static int is_odd(double x) { return is_whole(x) && __builtin_fabs(x) < 0x1p53 && (long long)x % 2 != 0; }

/* 2 to the n, for -1022 <= n <= 1023. */
static double power_of_two(int n) {
  unsigned long long bits = (unsigned long long)(n + 1023) << 52;
  double power;
  __builtin_memcpy(&power, &bits, 8);
  return power;
}

static int is_power_of_two(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  return x >= 0x1p-1022 && (bits & 0xfffffffffffff) == 0;
}

/* Whether it is a NaN that every operation makes another one of. */
static int is_signaling(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, 8);
  return __builtin_isnan(x) && !(bits & 0x8000000000000);
}

double ldexp(double x, int n) {
  double y = x;
  if (x == 0 || !__builtin_isfinite(x))
    return x;
  if (n > 1023) {
    y = y * 0x1p1023;
    n = n - 1023;
    if (n > 1023) {
      y = y * 0x1p1023;
      n = n - 1023;
      if (n > 1023)
        n = 1023;
    }
  } else if (n < -1022) {
    /* A factor that leaves 53 bits below: what is rounded is rounded once. */
    y = y * 0x1p-969;
    n = n + 969;
    if (n < -1022) {
      y = y * 0x1p-969;
      n = n + 969;
      if (n < -1022)
        n = -1022;
    }
  }
  y = y * power_of_two(n);
  return __builtin_isinf(y) || y == 0 ? range_error(y) : y;
}
double scalbn(double x, int n) { return ldexp(x, n); }

double sin(double x) {
  if (__builtin_isinf(x))
    return domain_error();
  return x == 0 || __builtin_isnan(x) ? x : __approximate(-1, 1);
}
double cos(double x) {
  if (__builtin_isinf(x))
    return domain_error();
  if (__builtin_isnan(x))
    return x;
  return x == 0 ? 1 : __approximate(-1, 1);
}
/* No number is so near to a pole that its tangent is infinite. */
double tan(double x) {
  if (__builtin_isinf(x))
    return domain_error();
  return x == 0 || __builtin_isnan(x) ? x : __approximate(-0x1p64, 0x1p64);
}
double asin(double x) {
  if (__builtin_fabs(x) > 1)
    return domain_error();
  if (x == 0 || __builtin_isnan(x))
    return x;
  return x > 0 ? __approximate(0, 0x1.921fb54442d19p+0) : __approximate(-0x1.921fb54442d19p+0, -0.0);
}
double acos(double x) {
  if (__builtin_fabs(x) > 1)
    return domain_error();
  if (__builtin_isnan(x))
    return x;
  if (x == 1)
    return 0;
  return x > 0 ? __approximate(0, 0x1.921fb54442d19p+0) : __approximate(0x1.921fb54442d17p+0, 0x1.921fb54442d19p+1);
}
double atan(double x) {
  if (x == 0 || __builtin_isnan(x))
    return x;
  return x > 0 ? __approximate(0, 0x1.921fb54442d19p+0) : __approximate(-0x1.921fb54442d19p+0, -0.0);
}
double atan2(double up, double right) {
  double y;
  if (__builtin_isnan(up) || __builtin_isnan(right))
    return up + right;
  if (up == 0 && !__builtin_signbit(right))
    return up;
  if (right > 0)
    y = __approximate(0, 0x1.921fb54442d19p+0);
  else if (up == 0)
    y = __approximate(0x1.921fb54442d17p+1, 0x1.921fb54442d19p+1);
  else if (right == 0)
    y = __approximate(0x1.921fb54442d17p+0, 0x1.921fb54442d19p+0);
  else
    y = __approximate(0x1.921fb54442d17p+0, 0x1.921fb54442d19p+1);
  if (right > 0 && __builtin_isinf(right) && __builtin_isfinite(up))
    y = 0;
  y = __builtin_copysign(y, up);
  return y == 0 && up != 0 && __builtin_isfinite(right) ? range_error(y) : y;
}

/* The range of 2 to the t: on each octave a line lies above it, and so much lower one below. What t is off by, `slack` holds. */
static double exponential(double t, double slack) {
  double whole = trunc(t), rest, power;
  if (t > 1024.5)
    return range_error(__builtin_inf());
  if (t < -1080)
    return range_error(0);
  if (t >= 1023)
    return checked(__approximate(0x1p1022, __builtin_inf()));
  if (t < -1020)
    return checked(__approximate(0, 0x1p-1019));
  if (whole > t)
    whole = whole - 1;
  rest = t - whole;
  power = power_of_two((int)whole);
  return __approximate(power * (1 + rest - 0.0862) * (1 - slack), power * (1 + rest) * (1 + slack));
}
double exp(double x) {
  if (__builtin_isnan(x))
    return x;
  if (__builtin_isinf(x))
    return x > 0 ? x : 0;
  return x == 0 ? 1 : exponential(x * 0x1.71547652b82fep+0, 0x1p-30);
}
double exp2(double x) {
  if (__builtin_isnan(x))
    return x;
  if (__builtin_isinf(x))
    return x > 0 ? x : 0;
  if (is_whole(x) && __builtin_fabs(x) < 4096)
    return ldexp(1, (int)x);
  return exponential(x, 0x1p-30);
}
/* e to the x is at least 1 + x. */
double expm1(double x) {
  if (x == 0 || __builtin_isnan(x))
    return x;
  if (__builtin_isinf(x))
    return x > 0 ? x : -1;
  if (x < 0)
    return __approximate(x > -1 ? x * 1.0625 : -1, -0.0);
  if (x < 1)
    return __approximate(x * 0.9375, x * 1.75);
  return overflowed(__approximate(x, x > 709 ? __builtin_inf() : 0x1.fffffffffffffp+1023));
}

/* The range of the logarithm to the base whose binary logarithm is 1 by `unit`, for finite positive numbers. */
static double logarithm(double x, double unit) {
  unsigned long long bits;
  double low, high, part;
  int e = 0;
  if (x < 0x1p-1022) {
    x = x * 0x1p60;
    e = -60;
  }
  __builtin_memcpy(&bits, &x, 8);
  e = e + (int)(bits >> 52) - 1023;
  part = (double)(long long)(bits & 0xfffffffffffff) * 0x1p-52;
  /* At most so far above the line is the logarithm, and below the next octave. */
  low = e + part - 0x1p-40;
  high = e + part + 0.0861;
  if (part < 0.9999 && high > e + 0.99993)
    high = e + 0.99993;
  if (high > e + 1)
    high = e + 1;
  if (low < e)
    low = e;
  low = low * unit;
  high = high * unit;
  return __approximate(low > 0 ? low * (1 - 0x1p-40) : low * (1 + 0x1p-40), high > 0 ? high * (1 + 0x1p-40) : high * (1 - 0x1p-40));
}
static double log_error(double x) { return x == 0 ? range_error(-__builtin_inf()) : domain_error(); }
double log(double x) {
  if (__builtin_isnan(x) || (__builtin_isinf(x) && x > 0))
    return x;
  if (x <= 0)
    return log_error(x);
  return x == 1 ? 0 : logarithm(x, 0x1.62e42fefa39efp-1);
}
double log2(double x) {
  unsigned long long bits;
  if (__builtin_isnan(x) || (__builtin_isinf(x) && x > 0))
    return x;
  if (x <= 0)
    return log_error(x);
  if (!is_power_of_two(x))
    return logarithm(x, 1);
  __builtin_memcpy(&bits, &x, 8);
  return (double)((int)(bits >> 52) - 1023);
}
double log10(double x) {
  double power = 1;
  int k = 0;
  if (__builtin_isnan(x) || (__builtin_isinf(x) && x > 0))
    return x;
  if (x <= 0)
    return log_error(x);
  if (x < 1 || x >= 1e22)
    return x == 1e22 ? 22 : logarithm(x, 0x1.34413509f79fep-2);
  while (x >= power * 10) {
    power = power * 10;
    k++;
  }
  if (x == power)
    return k;
  return __approximate(x > power * 1.000001 ? k : k - 0x1p-40, x < power * 9.999999 ? k + 1 - 0x1p-26 : k + 1 + 0x1p-40);
}
double log1p(double x) {
  if (x == 0 || __builtin_isnan(x) || (__builtin_isinf(x) && x > 0))
    return x;
  if (x <= -1)
    return log_error(x + 1);
  return x > 0 ? __approximate(0, x < 700 ? x : 710) : __approximate(-40, -0.0);
}

double sinh(double x) {
  double most = __builtin_fabs(x) < 1 ? __builtin_fabs(x) * 1.25 : __builtin_inf();
  if (x == 0 || !__builtin_isfinite(x))
    return x;
  return overflowed(__builtin_copysign(__approximate(__builtin_fabs(x) * 0.9375, most), x));
}
double cosh(double x) {
  if (__builtin_isnan(x))
    return x;
  if (__builtin_isinf(x))
    return __builtin_inf();
  return x == 0 ? 1 : overflowed(__approximate(1, __builtin_fabs(x) > 700 ? __builtin_inf() : 0x1.fffffffffffffp+1023));
}
double tanh(double x) {
  if (x == 0 || __builtin_isnan(x))
    return x;
  if (__builtin_isinf(x))
    return __builtin_copysign(1, x);
  return __builtin_copysign(__approximate(0, 1), x);
}
double asinh(double x) {
  if (x == 0 || !__builtin_isfinite(x))
    return x;
  return __builtin_copysign(__approximate(0, __builtin_fabs(x) < 711 ? __builtin_fabs(x) : 711), x);
}
double acosh(double x) {
  if (x < 1)
    return domain_error();
  if (__builtin_isnan(x) || __builtin_isinf(x))
    return x;
  return x == 1 ? 0 : __approximate(0, 711);
}
double atanh(double x) {
  if (__builtin_fabs(x) > 1)
    return domain_error();
  if (__builtin_fabs(x) == 1)
    return range_error(x * __builtin_inf());
  return x == 0 || __builtin_isnan(x) ? x : __builtin_copysign(__approximate(0, 20), x);
}

double cbrt(double x) {
  double size = __builtin_fabs(x);
  if (x == 0 || !__builtin_isfinite(x))
    return x;
  if (is_whole(x) && size <= 0x1p53) {
    /* Between two whole numbers. */
    long long low = 1, high = 208065, cube = (long long)size;
    while (high - low > 1) {
      long long middle = low + (high - low) / 2;
      if (middle * middle * middle <= cube)
        low = middle;
      else
        high = middle;
    }
    return __builtin_copysign(__approximate((double)low * (1 - 0x1p-49), (low * low * low == cube ? (double)low : (double)high) * (1 + 0x1p-49)), x);
  }
  return __builtin_copysign(size > 1 ? __approximate(0.9375, size * 1.0625) : __approximate(size * 0.9375, 1.0625), x);
}
double hypot(double a, double b) {
  double big = __builtin_fabs(a), small = __builtin_fabs(b), sum, root;
  if ((__builtin_isinf(a) || __builtin_isinf(b)) && !is_signaling(a) && !is_signaling(b))
    return __builtin_inf();
  if (__builtin_isnan(a) || __builtin_isnan(b))
    return a + b;
  if (small > big) {
    sum = big;
    big = small;
    small = sum;
  }
  if (small == 0)
    return big;
  if (big > 0x1p500 || small < 0x1p-500)
    return overflowed(__approximate(big, big * 1.5));
  sum = big * big + small * small;
  root = sqrt(sum);
  if (is_whole(big) && is_whole(small) && sum < 0x1p52 && is_whole(root) && root * root == sum)
    return root;
  return __approximate(root * (1 - 0x1p-50), root * (1 + 0x1p-50));
}

/* A number of at least 0 to a whole exponent from 1 to 1100. What is off at each product, the range has. */
static double power(double x, int n, int inverse) {
  double y = 1, exact = 1, scaled = is_whole(x) ? x : x * 1024, slack = (n + 4) * 0x1p-52;
  int i, is_exact = is_whole(scaled);
  for (i = 0; i < n; i++) {
    y = y * x;
    exact = exact * scaled;
    if (exact > 0x1p53)
      is_exact = 0;
  }
  if (inverse) {
    is_exact = 0;
    if (y > 0x1p-1000 && y < 0x1p1000)
      y = 1 / y;
    else
      return checked(__approximate(0, __builtin_inf()));
  }
  if (is_exact)
    return y;
  if (y < 0x1p-1000 || y > 0x1p1000)
    return checked(__approximate(0, __builtin_inf()));
  if (is_power_of_two(x))
    return y;
  return __approximate(y * (1 - slack), y * (1 + slack));
}
double pow(double x, double exponent) {
  double size = __builtin_fabs(x), y;
  int odd = is_odd(exponent);
  if (is_signaling(x) || is_signaling(exponent))
    return x + exponent;
  if (exponent == 0 || x == 1)
    return 1;
  if (__builtin_isnan(x) || __builtin_isnan(exponent))
    return x + exponent;
  if (__builtin_isinf(exponent)) {
    if (size == 1)
      return 1;
    return (size > 1) == (exponent > 0) ? __builtin_inf() : 0;
  }
  if (__builtin_isinf(x) || x == 0) {
    y = __builtin_isinf(x) == (exponent > 0) ? __builtin_inf() : 0;
    y = odd && __builtin_signbit(x) ? -y : y;
    return x == 0 && exponent < 0 ? range_error(y) : y;
  }
  if (x < 0 && !is_whole(exponent))
    return domain_error();
  if (is_whole(exponent) && __builtin_fabs(exponent) <= 1100)
    y = power(size, (int)__builtin_fabs(exponent), exponent < 0);
  else if (size == 1)
    y = 1;
  else if ((size > 1) == (exponent > 0))
    y = overflowed(__approximate(1, __builtin_inf()));
  else
    y = checked(__approximate(0, 1));
  return odd && x < 0 ? -y : y;
}

double erf(double x) {
  if (x == 0 || __builtin_isnan(x))
    return x;
  if (__builtin_isinf(x))
    return __builtin_copysign(1, x);
  return __builtin_copysign(__approximate(0, 1), x);
}

/* <math.h>: the functions of `float` whose results C leaves open. What is known is what is known of the double, and a few
   units in the last place of the float. */

int *__errno_location(void);
double __approximate(double low, double high);
double ldexp(double x, int n);
double atan2(double up, double right);
double hypot(double a, double b);
double pow(double x, double exponent);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double exp(double x);
double exp2(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double cbrt(double x);
double erf(double x);

/* A float: near to what is known of the double. */
static float nearly(double y) {
  double slack = __builtin_fabs(y) * 0x1p-21 + 0x1p-147;
  if ((double)(float)y == y || !__builtin_isfinite(y))
    return (float)y;
  return (float)__approximate(y - slack, y + slack);
}
/* The same, with the error of a result that overflowed although no argument is infinite. */
static float single(double x, double y) {
  float result = nearly(y);
  if (__builtin_isfinite(x) && __builtin_isinf(result))
    *__errno_location() = 34;
  return result;
}
/* The same where a result that vanished is one too. */
static float single_or_none(double x, double y) {
  float result = single(x, y);
  if (__builtin_isfinite(x) && (result == 0 || (__builtin_fabsf(result) < 0x1p-126f && __approximate(0, 1) > 0.5)))
    *__errno_location() = 34;
  return result;
}
float ldexpf(float x, int n) {
  float y = (float)ldexp(x, n < -400 ? -400 : n > 400 ? 400 : n);
  if (x != 0 && __builtin_isfinite(x) && (y == 0 || __builtin_isinf(y)))
    *__errno_location() = 34;
  return y;
}
float scalbnf(float x, int n) { return ldexpf(x, n); }
float sinf(float x) { return (float)sin(x); }
float cosf(float x) { return (float)cos(x); }
float tanf(float x) { return (float)tan(x); }
float asinf(float x) { return nearly(asin(x)); }
float acosf(float x) { return nearly(acos(x)); }
float atanf(float x) { return nearly(atan(x)); }
float atan2f(float up, float right) {
  float y = nearly(atan2(up, right));
  if (y == 0 && up != 0 && __builtin_isfinite(right))
    *__errno_location() = 34;
  return y;
}
float expf(float x) { return single_or_none(x, exp(x)); }
float exp2f(float x) { return single_or_none(x, exp2(x)); }
float expm1f(float x) { return single(x, expm1(x)); }
float logf(float x) { return nearly(log(x)); }
float log2f(float x) { return nearly(log2(x)); }
float log10f(float x) { return nearly(log10(x)); }
float log1pf(float x) { return (float)log1p(x); }
float sinhf(float x) { return single(x, sinh(x)); }
float coshf(float x) { return single(x, cosh(x)); }
float tanhf(float x) { return (float)tanh(x); }
float asinhf(float x) { return (float)asinh(x); }
float acoshf(float x) { return (float)acosh(x); }
float atanhf(float x) { return (float)atanh(x); }
float cbrtf(float x) { return nearly(cbrt(x)); }
float erff(float x) { return (float)erf(x); }
static int is_signaling_float(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, 4);
  return __builtin_isnan(x) && !(bits & 0x400000);
}
float hypotf(float a, float b) {
  if (is_signaling_float(a) || is_signaling_float(b))
    return a + b;
  return single(__builtin_isfinite(b) ? a : b, hypot(a, b));
}
float powf(float x, float exponent) {
  if (is_signaling_float(x) || is_signaling_float(exponent))
    return x + exponent;
  if (x == 0 || !__builtin_isfinite(exponent))
    return (float)pow(x, exponent);
  return single_or_none(x, pow(x, exponent));
}

// expect: safe
// unknown: symbolic
extern void reach_error(void);
extern double fabs(double), floor(double), ceil(double), round(double), trunc(double), sqrt(double), rint(double);
extern double fmod(double, double), remainder(double, double), copysign(double, double), fmin(double, double);
extern double fmax(double, double), modf(double, double *), frexp(double, int *);
extern float sqrtf(float), floorf(float), fabsf(float);
extern int __isnan(double), __isinf(double), __fpclassify(double), __signbit(double), __finite(double);
static void check(int condition) { if (!condition) reach_error(); }
int main(void) {
  double nan = __builtin_nan(""), infinity = __builtin_inf(), whole;
  int exponent;
  check(fabs(-1.5) == 1.5 && fabs(-0.0) == 0 && !__signbit(fabs(-0.0)) && fabsf(-2.5f) == 2.5f);
  check(floor(1.5) == 1 && floor(-1.5) == -2 && floor(1e300) == 1e300 && __signbit(floor(-0.0)));
  check(ceil(1.5) == 2 && ceil(-1.5) == -1 && __signbit(ceil(-0.5)) && floorf(-0.5f) == -1);
  check(round(0.5) == 1 && round(-0.5) == -1 && round(0.49999999999999994) == 0 && trunc(-1.9) == -1);
  check(rint(0.5) == 0 && rint(1.5) == 2 && rint(-2.5) == -2);
  check(sqrt(2) == 0x1.6a09e667f3bcdp+0 && sqrt(1e-310) == 0x1.1297872d9cbaep-515 && sqrt(144) == 12);
  check(sqrtf(2) == 0x1.6a09e6p+0f && __isnan(sqrt(-1)) && sqrt(infinity) == infinity);
  check(fmod(7.5, 2) == 1.5 && fmod(-7.5, 2) == -1.5 && fmod(1e300, 3) == 0 && __isnan(fmod(1, 0)));
  check(remainder(7.5, 2) == -0.5 && remainder(5, 2) == 1 && remainder(3, 2) == -1);
  check(fmin(1, nan) == 1 && fmax(nan, 2) == 2 && fmax(1, 2) == 2 && copysign(3, -0.0) == -3);
  check(modf(-2.75, &whole) == -0.75 && whole == -2 && frexp(10, &exponent) == 0.625 && exponent == 4);
  check(__isinf(-infinity) == -1 && !__isinf(1) && __finite(1) && !__finite(nan));
  check(__fpclassify(nan) == 0 && __fpclassify(infinity) == 1 && __fpclassify(0.0) == 2);
  check(__fpclassify(1e-310) == 3 && __fpclassify(1.0) == 4);
  check(__builtin_isless(1.0, 2.0) && __builtin_isunordered(nan, 1.0) && !__builtin_islessgreater(1.0, nan));
  check(__builtin_isnormal(1.0) && !__builtin_isnormal(1e-310) && __builtin_isinf_sign(-infinity) == -1);
  return 0;
}

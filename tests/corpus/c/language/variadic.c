// expect: safe
// unknown: symbolic
typedef __builtin_va_list va_list;
extern void reach_error(void);
static void check(int condition) { if (!condition) reach_error(); }
struct point { int x, y, z; };
static long long listed(int count, va_list list) {
  long long sum = 0;
  for (; count > 0; count--)
    sum += __builtin_va_arg(list, int);
  return sum;
}
static long long sum(int count, ...) {
  va_list list, copy;
  long long total;
  __builtin_va_start(list, count);
  __builtin_va_copy(copy, list);
  total = listed(count, list);
  __builtin_va_end(list);
  if (count > 0)
    total = 10 * total + __builtin_va_arg(copy, int);
  __builtin_va_end(copy);
  return total;
}
static double mixed(const char *kinds, ...) {
  va_list list;
  double total = 0;
  __builtin_va_start(list, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'c': case 'i': total += __builtin_va_arg(list, int); break;
    case 'u': total += __builtin_va_arg(list, unsigned); break;
    case 'L': total += __builtin_va_arg(list, long long); break;
    case 'd': total += __builtin_va_arg(list, double); break;
    case 'p': total += *__builtin_va_arg(list, int *); break;
    case 's': { struct point p = __builtin_va_arg(list, struct point); total += p.x + p.y + p.z; break; }
    }
  __builtin_va_end(list);
  return total;
}
static int nothing(int first, ...) { return first; }
static void next(va_list *list, int wanted) { check(__builtin_va_arg(*list, int) == wanted); }
static void through_pointer(int first, ...) {
  va_list list;
  __builtin_va_start(list, first);
  next(&list, first + 1);
  next(&list, first + 2);
  __builtin_va_end(list);
}
int main(void) {
  struct point p = {1, 2, 3};
  int number = 100;
  float half = 0.5f;
  long long (*pointer)(int, ...) = sum;
  check(sum(0) == 0 && sum(3, 1, 2, 3) == 61 && sum(2, (int)sum(1, 4), (char)5) == 44 * 10 + 5 * 10 + 44);
  check(mixed("ciLdsup", 'a', -1, 5000000000ll, half, p, 3000000000u, &number) == 97 - 1 + 5000000000.0 + 0.5 + 6 + 3000000000.0 + 100);
  check(nothing(3) == 3 && nothing(4, 5, 6) == 4 && pointer(2, 7, 8) == 157);
  through_pointer(1, 2, 3);
  return 0;
}

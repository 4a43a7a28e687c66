// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
// A pointer to a constant may point to what is none; literals are read and copied.
#include <string.h>
struct pair { int a; const char *name; };
static int numbers[3];
static const char *const names[] = {"ab", "cd"};
static void set(const int *p, int n) { ((int *)p)[n] = 4; }
int main(void) {
  char text[] = "abc", other[8];
  text[0] = 'x';
  strcpy(other, names[1]);
  struct pair p = {1, "name"}, q;
  q = p;
  q.a = other[0];
  set(numbers, 2);
  set(&q.a, 0);
  const char *s = "literal";
  int n = 0;
  while (*s)
    n += *s++ == 'l';
  return n + q.name[0] + text[0] + numbers[2];
}

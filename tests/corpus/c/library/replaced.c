// expect: safe
// unknown: symbolic, panda, cegar, bounded
// options: --property unreach-call
// Functions of the library do not call those of the program that have the names of others of the library.
#include <stdlib.h>
extern double pow(double x, double y);
extern double hypot(double x, double y);
extern char *strdup(const char *text);
extern void __VERIFIER_error(void);
#define CHECK(c) if (!(c)) __VERIFIER_error()

double trunc(double x) { return 0; }
double sqrt(double x) { return 1; }
void *memcpy(void *to, const void *from, size_t size) { return to; }

int main(void) {
  char *copy;
  CHECK(pow(-2, 2) == 4 && hypot(3, 4) == 5);
  copy = strdup("ab");
  CHECK(copy[0] == 'a' && copy[2] == 0);
  CHECK(trunc(3) == 0 && sqrt(4) == 1);
  free(copy);
  return 0;
}

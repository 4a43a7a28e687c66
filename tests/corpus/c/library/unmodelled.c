// expect: unknown
// A function of the library whose meaning is not modelled is not taken to return anything.
#include <assert.h>
#include <locale.h>

int main(void) {
  assert(localeconv()->decimal_point[0] == '.');
  return 0;
}

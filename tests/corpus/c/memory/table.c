// expect: safe
// unknown: cegar, symbolic
// A table of constants that is read at an index of which little is known, there and back.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : 63;
}
int main(void) {
  unsigned char high = __VERIFIER_nondet_uchar(), low = __VERIFIER_nondet_uchar();
  char first = alphabet[high >> 2];
  char second = alphabet[(high & 3) << 4 | low >> 4];
  int a = value_of(first), b = value_of(second);
  assert((a << 2 | b >> 4) == high);
  assert((b & 15) == low >> 4);
  return 0;
}

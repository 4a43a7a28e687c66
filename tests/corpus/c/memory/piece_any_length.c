// expect: safe
// unknown: explicit, symbolic
// How many bytes are filled and copied is an input, and so is the byte and where they begin.
#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a[6], b[6];
  unsigned char start = __VERIFIER_nondet_uchar(), length = __VERIFIER_nondet_uchar();
  unsigned char byte = __VERIFIER_nondet_uchar(), at = __VERIFIER_nondet_uchar();
  if (start > 2 || length > 3 || byte > 3 || at >= 6)
    return 0;
  memset(a, 9, sizeof a);
  memset(a + start, byte, length);
  assert(a[at] == (at >= start && at < start + length ? byte : 9));
  memset(b, 7, sizeof b);
  memcpy(b, a + start, length);
  assert(b[at] == (at < length ? byte : 7));
  int n[3] = {1, 2, 3}, m[3] = {0, 0, 0};
  memcpy(m, n, length * sizeof(int));
  assert(m[2] == (length == 3 ? 3 : 0));
  return 0;
}

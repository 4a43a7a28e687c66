// expect: safe
// unknown: symbolic
// Bytes, bits and lists of the library: every check holds with the GNU library too.
#include <arpa/inet.h>
#include <assert.h>
#include <inttypes.h>
#include <search.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
struct element { struct element *next, *previous; };

int main(void) {
  assert(htonl(0x01020304) == 0x04030201 && ntohs(htons(0x1234)) == 0x1234 && htons(0x102) == 0x201);
  assert(ffs(0) == 0 && ffs(8) == 4 && ffsll(1LL << 40) == 41);
  char bytes[4] = {1, 2, 3, 4};
  explicit_bzero(bytes, 3);
  assert(bytes[2] == 0 && bytes[3] == 4);
  wchar_t wide[4];
  wmemset(wide, L'x', 3);
  wide[3] = 0;
  assert(wcslen(wide) == 3 && wcscmp(wide, L"xxx") == 0 && wcschr(wide, L'y') == 0 && towupper(L'a') == L'A');
  int numbers[4] = {3, 1, 2}, key = 2;
  size_t count = 3;
  assert(lfind(&key, numbers, &count, sizeof key, compare) == &numbers[2]);
  key = 9;
  lsearch(&key, numbers, &count, sizeof key, compare);
  assert(count == 4 && numbers[3] == 9);
  struct element first, second;
  insque(&first, 0);
  insque(&second, &first);
  assert(first.next == &second && second.previous == &first && !second.next);
  remque(&second);
  assert(!first.next && imaxabs(-4) == 4);
  return 0;
}

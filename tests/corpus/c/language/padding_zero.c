// expect: safe
// unknown: symbolic
// Padding is zero in static objects, in memory of `calloc`, and where `memset` wrote it; members are what they are.
void reach_error(void);
void *calloc(unsigned long count, unsigned long size);
void *memset(void *target, int byte, unsigned long size);
int memcmp(const void *a, const void *b, unsigned long size);
struct s { char c; int n; };
static struct s first, second;
int main(void) {
  struct s a = {.n = 1}, b;
  struct { char c; struct s in[2]; } c = {0};
  memset(&b, 0, sizeof b);
  if (memcmp(&first, &second, sizeof first) != 0 || memcmp(&b, &first, sizeof b) != 0)
    reach_error();
  if (memcmp(calloc(1, sizeof b), &b, sizeof b) != 0 || a.c != 0 || a.n != 1)
    reach_error();
  if (c.c != 0 || c.in[0].c != 0 || c.in[1].n != 0)
    reach_error();
  return 0;
}

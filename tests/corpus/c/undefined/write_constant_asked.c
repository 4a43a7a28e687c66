// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
static const int table[3] = {1, 2, 3};
static void set(int *p, int n) { p[n] = 4; }
int main(void) {
  set((int *)table, 1);
  return 0;
}

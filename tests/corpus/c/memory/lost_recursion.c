// expect: unsafe
// unknown: symbolic
// options: --property valid-memtrack
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
static void down(int n) {
  char *p = malloc(1);
  p = 0;
  if (n > 0) down(n - 1);
  abort();
}
int main(void) {
  down(2);
  return 0;
}

// expect: unsafe
// unknown: symbolic
// options: --property valid-memtrack
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4), *q = p + 1;
  q = 0;
  for (int i = 0; i < 2; i++) ;
  p = malloc(2);
  for (;;) q = p;
}

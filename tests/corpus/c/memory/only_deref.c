// expect: unsafe
// unknown: symbolic
// options: --property valid-deref
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4);
  p[4] = 1;
  return 0;
}

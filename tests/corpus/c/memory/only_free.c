// expect: safe
// unknown: explicit, symbolic
// options: --property valid-free
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(4);
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i < 4) p[i] = 1;
  free(p);
  return 0;
}

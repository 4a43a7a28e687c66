// expect: safe
// unknown: explicit, symbolic
// options: --property valid-memsafety
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
static void stop(char *p) {
  *p = 1;
  exit(0);
}
int main(void) {
  char *p = malloc(4);
  if (__VERIFIER_nondet_int()) stop(p);
  free(p);
  return 0;
}

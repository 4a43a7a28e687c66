// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int()) {
    char *p = malloc(4);
    *p = 1;
  }
  for (;;) ;
}

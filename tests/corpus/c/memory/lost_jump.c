// expect: unsafe
// options: --property valid-memsafety
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  while (1) {
    char *p = malloc(4);
    if (__VERIFIER_nondet_int()) goto out;
    free(p);
  }
out:
  while (1) ;
}

// expect: unsafe
// options: --property valid-memtrack
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
static char *make(void) { return malloc(1); }
int main(void) {
  make();
  while (1) ;
}

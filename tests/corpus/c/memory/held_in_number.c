// expect: unknown
// options: --property valid-memtrack
extern void *malloc(unsigned long), *calloc(unsigned long, unsigned long), free(void *), exit(int), abort(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned long n = (unsigned long)malloc(4);
  for (int i = 0; i < 2; i++) ;
  free((void *)n);
  return 0;
}

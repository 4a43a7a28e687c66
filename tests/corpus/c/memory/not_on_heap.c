// expect: unsafe
// options: --property valid-free
extern void *malloc(unsigned long), free(void *);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int local = 1, *p = &local;
  if (__VERIFIER_nondet_int()) p = malloc(sizeof *p);
  free(p);
  return 0;
}

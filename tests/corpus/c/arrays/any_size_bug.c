// expect: unsafe
// unknown: explicit, symbolic
// The same index twice in an array whose size is an input, written and read at indices that are inputs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long), free(void *);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000 || i < 0 || i >= n || j < 0 || j >= n) return 0;
  int *p = malloc(n * sizeof(int));
  if (!p) return 0;
  p[i] = 5;
  p[j] = 7;
  if (p[i] != 5) reach_error();
  if (p[j] != 7) reach_error();
  free(p);
}

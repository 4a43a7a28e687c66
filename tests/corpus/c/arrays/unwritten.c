// expect: unsafe
// unknown: explicit, symbolic
// What was never written in an array of any size is an input: the counterexample gives two elements values.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long), free(void *);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int();
  if (n < 10 || n > 1000 || i < 0 || i >= n) return 0;
  int *p = malloc(n * sizeof(int));
  if (!p) return 0;
  if (p[i] == 42 && p[3] == 17 && i == 7) reach_error();
  free(p);
}

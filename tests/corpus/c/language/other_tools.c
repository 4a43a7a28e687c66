// expect: safe
// unknown: symbolic
// What other verifiers call assumptions, assertions and inputs.
void __CPROVER_assume(int condition);
void __CPROVER_assert(int condition, const char *text);
void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *text);
void klee_assume(unsigned long condition);
void klee_make_symbolic(void *start, unsigned long size, const char *name);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b, c[1];
  __CPROVER_assume(a < 10);
  __CPROVER_assert(a != 10, "below ten");
  __ESBMC_assume(a > 3);
  __ESBMC_assert(a * 2 > 7, "more than three");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(b == 1);
  klee_make_symbolic(c, sizeof c, "c");
  klee_assume(c[0] == 2);
  __CPROVER_assert(b + c[0] == 3, "the sum");
  return 0;
}

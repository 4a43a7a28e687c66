// expect: unsafe
// options: --property unreach-call
/* Numbers as another type has them: where they wrap, another way is taken. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_int();
  int k = __VERIFIER_nondet_uint();
  if (n > 4294967290u && n < 4294967292u && k > -5 && k < -3)
    reach_error();
  return 0;
}

// expect: unsafe
// options: --property no-undefined-arithmetic
// Where it fits, a shift of a negative number to the left is undefined all the same.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -4 || n > 4)
    return 0;
  return (n << 1) == 6;
}

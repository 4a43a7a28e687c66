/* A lock that opens after three digits in a row. 5 is ignored; any other digit closes it again. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int right = 0;
  while (1) {
    int digit = __VERIFIER_nondet_int();
    if (right == 0 && digit == 7) {
      right = 1;
    } else if (right == 1 && digit == 3) {
      right = 2;
    } else if (right == 2 && digit == 9) {
      reach_error();
    } else if (digit != 5) {
      right = 0;
    }
  }
}

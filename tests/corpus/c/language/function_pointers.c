// expect: safe
// unknown: symbolic
extern void reach_error(void);
int plus(int a, int b) { return a + b; }
int minus(int a, int b) { return a - b; }
int (*table[2])(int, int) = { plus, minus };
int main(void) {
  int (*f)(int, int) = &minus;
  if (table[0](5, 3) != 8 || (*f)(5, 3) != 2 || f != table[1]) reach_error();
  return 0;
}

// expect: safe
extern void reach_error(void);
int main(void) {
  unsigned char c = 250;
  short s = (short)40000;
  unsigned u = 0u - 1u;
  c += 10;
  if (c != 4 || s != -25536 || u != 4294967295u || (int)u != -1 || -7 / 2 != -3 || -7 % 2 != -1) reach_error();
  return 0;
}

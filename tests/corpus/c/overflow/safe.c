// expect: safe
// options: --property no-overflow
extern int abs(int);
int main(void) {
  int max = 2147483647, min = -max - 1, n;
  signed char c = 127;
  unsigned u = ~0u;
  c++;
  u++;
  n = max - 1;
  n++;
  n = -(min + 1);
  n = min / 2 + (-1 << 4) + (1 << 30) + abs(-5);
  n = (max - 5) / -1 % 7;
  return n & (int)u & c;
}

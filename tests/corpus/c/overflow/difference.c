// expect: unsafe
// options: --property no-overflow
extern int abs(int);
int main(void) {
  int max = 2147483647, min = -max - 1, n;
  n = min - 1;
  return n != 0;
}

// expect: safe
extern void reach_error(void);
int main(void) {
  float f = 0.1f;
  double d = f, e = 1.0 / 3;
  int n = (int)(e * 10), nan = 0.0 / 0.0 != 0.0 / 0.0;
  if (d == 0.1 || n != 3 || !nan || (float)16777217 != 16777216.0f) reach_error();
  return 0;
}

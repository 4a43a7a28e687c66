// expect: safe
// unknown: symbolic
// options: --property no-undefined-expression
// A comma, `&&` and a call order what they are made of.
static int same(int x) { return x; }
int main(void) {
  int i = 1, a[4] = {0}, j = 0;
  i = (i++, i + 1);
  int k = i++ && i++;
  i = same(i++) + 1;
  a[j++] = k;
  i = i-- > 0 ? i : 0;
  return i + j;
}

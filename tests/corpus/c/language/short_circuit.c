// expect: safe
// unknown: symbolic
extern void reach_error(void);
int calls;
int count(int result) { calls++; return result; }
int main(void) {
  int *p = 0, x = 3;
  if (p && *p) reach_error();
  if (count(0) && count(1)) reach_error();
  if (!(count(1) || count(0))) reach_error();
  x = count(1) ? x + 1 : *p;
  if (calls != 3 || x != 4 || (x++, x) != 5 || (0 ?: x) != 5) reach_error();
  return 0;
}

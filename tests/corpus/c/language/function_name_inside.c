// expect: safe
// A local, or a parameter, may have the name of its function.
extern void reach_error(void);
static int turns(int n) {
  int turns = 0;
  while (n > 0) {
    n--;
    turns++;
  }
  return turns;
}
static int same(int same) { return same + 1; }
int main(void) {
  if (turns(3) != 3 || same(4) != 5 || turns(turns(2)) != 2) reach_error();
  return 0;
}

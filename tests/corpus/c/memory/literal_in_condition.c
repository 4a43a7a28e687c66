// expect: unknown
// options: --property valid-deref
// The literal ends with the `if`; that no pointer to it is used after is taken for granted.
static void put(int *p) { *p = 7; }
extern void reach_error(void);
int main(void) {
  int *p;
  if ((p = &(int){3})) {
  }
  {
    int y = 4;
    put(&y);
  }
  return *p == 3;
}

// expect: safe
// What only this file sees, and constants, no function without a body writes.
void reach_error(void);
static int level;
const int fixed = 7;
void outside(int n);
int main(void) {
  int own = 3;
  level = 1;
  outside(own);
  if (level != 1 || own != 3 || fixed != 7)
    reach_error();
  return 0;
}

// expect: unknown
// A pointer that comes from outside may be to a global that is visible there.
void reach_error(void);
int level;
int *outside(void);
int main(void) {
  int *pointer = outside();
  level = 1;
  if (pointer)
    *pointer = 2;
  if (level != 1)
    reach_error();
  return 0;
}

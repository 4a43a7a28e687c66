// expect: unsafe
// A function without a body can write a global that is visible outside of the file.
void reach_error(void);
unsigned char level;
int outside(void);
int main(void) {
  level = 1;
  outside();
  if (level != 1)
    reach_error();
  return 0;
}

// expect: unsafe
// unknown: symbolic
// Padding of an initialised local need not be zero.
void reach_error(void);
struct s { char c; int n; };
int main(void) {
  struct s a = {.n = 1};
  if (((char *)&a)[1] != 0)
    reach_error();
  return 0;
}

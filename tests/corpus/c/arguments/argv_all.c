// expect: unknown
// How many arguments there are is not known: that there are few is an assumption.
void reach_error(void);
static int count(char **strings) {
  int n = 0;
  while (strings[n])
    n++;
  return n;
}
int main(int argc, char **argv) {
  if (count(argv) != argc)
    reach_error();
  return 0;
}

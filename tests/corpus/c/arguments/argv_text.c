// expect: unsafe
// unknown: symbolic
// An argument is any string: `-x` among them.
void reach_error(void);
int main(int argc, char **argv, char **envp) {
  if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'x')
    reach_error();
  return 0;
}

// expect: safe
// unknown: explicit, symbolic
// There is at least one argument, each is a string, and a null pointer is behind the last one.
void reach_error(void);
int main(int argc, char *argv[]) {
  if (argc < 1 || !argv[0])
    reach_error();
  if (argc > 1 && argv[1] == 0)
    reach_error();
  if (argc == 2 && argv[2] != 0)
    reach_error();
  return 0;
}

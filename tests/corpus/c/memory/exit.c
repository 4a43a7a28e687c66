// expect: unsafe
// options: --property valid-memcleanup
extern void *malloc(unsigned long), exit(int);
static char *kept;
static void end(void) { exit(0); }
int main(void) {
  kept = malloc(1);
  *kept = 1;
  end();
  return 0;
}

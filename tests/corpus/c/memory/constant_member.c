// expect: unknown
// options: --property valid-memsafety
// Nothing looks at where in an object a write goes: that no `const` member is written is an assumption.
struct pair {
  const int fixed;
  int free;
} pair = {1, 2};
int main(void) {
  *(int *)&pair.fixed = 3;
  return 0;
}

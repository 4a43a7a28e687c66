// expect: safe
// unknown: explicit, symbolic
// options: --property no-uninitialised-read
// What has an address holds any value, and reading that is defined.
int main(void) {
  int x;
  int *p = &x;
  return *p - *p;
}

// expect: safe
// unknown: symbolic
// The attribute behind a typedef; a null pointer constant is as wide as a pointer.
extern void reach_error(void);
typedef union {
  int *number;
  char *text;
} any __attribute__((__transparent_union__));
int is_null(any pointer) { return pointer.number == 0; }
int main(void) {
  int x = 1;
  char c = 2;
  if (!is_null(0) || is_null(&x) || is_null(&c)) reach_error();
  return 0;
}

// expect: unsafe
// options: --property array-bounds
// The name ends the structure, but the structure is an element.
extern int __VERIFIER_nondet_int(void);
struct person {
  int age;
  char name[4];
};
int main(void) {
  struct person all[2] = {{0}};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4)
    return 0;
  all[0].name[n] = 'x';
  return 0;
}

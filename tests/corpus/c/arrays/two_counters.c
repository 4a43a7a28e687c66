// expect: safe
// unknown: bounded, explicit, symbolic
// Every other element is moved together, with a counter for each array.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[50000], b[100000];
int main(void) {
  int i, j = 0;
  for (i = 0; i < 100000; i++) b[i] = __VERIFIER_nondet_int();
  for (i = 1; i < 100000; i += 2) { a[j] = b[i]; j++; }
  for (j = 0; j < 50000; j++) if (a[j] != b[2 * j + 1]) reach_error();
}

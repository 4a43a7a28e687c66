// expect: unsafe
// unknown: cegar, explicit, symbolic
// A tracked element is written through another pointer, and byte by byte.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int a[100];
int main(void) {
  int i, *p = a + 3;
  unsigned char *c = (unsigned char *)a;
  for (i = 0; i < 100; i++) a[i] = 0;
  if (__VERIFIER_nondet_int()) p[4] = 1; else c[4 * 50 + 1] = 1;
  for (i = 0; i < 100; i++) if (a[i] != 0) reach_error();
}

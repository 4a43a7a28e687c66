// expect: safe
// unknown: explicit, symbolic
// The bytes of an integer are read and written one by one.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
union bytes { unsigned whole; unsigned char part[4]; };
int main(void) {
  union bytes x;
  x.whole = __VERIFIER_nondet_uint();
  if (x.part[0] != (x.whole & 255)) reach_error();
  x.part[3] = 0;
  if (x.whole >= 0x1000000u) reach_error();
}

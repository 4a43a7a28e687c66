// expect: unsafe
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  if (__VERIFIER_nondet_bool() && c * 3 == 6) reach_error();
  return 0;
}

// expect: unsafe
// options: --property array-bounds
// The write hits the next member.
extern int __VERIFIER_nondet_int(void);
struct queue {
  int items[4];
  int count;
};
int main(void) {
  struct queue q = {{0}, 0};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4)
    return 0;
  q.items[n] = 7;
  return 0;
}

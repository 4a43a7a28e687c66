// expect: unsafe
// unknown: symbolic
// The last element that is greater than the one before it depends on the order.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define N 5
static int last_rise(const int *a) {
  int found = 0;
  for (int i = 1; i < N; i++) found = a[i - 1] < a[i] ? a[i] : found;
  return found;
}
int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int first = last_rise(a), front = a[0];
  a[0] = a[1];
  a[1] = front;
  if (last_rise(a) != first) reach_error();
}

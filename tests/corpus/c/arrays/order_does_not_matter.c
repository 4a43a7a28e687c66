// expect: safe
// unknown: cegar, explicit, symbolic
// What is counted, and the greatest element, of an array do not depend on the order of its elements.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define N 24
static int balance(const int *a) {
  long long even = 0;
  for (int i = 0; i < N; i++)
    if (a[i] % 2 == 0) even++;
    else even--;
  return even;
}
static int greatest(const int *a) {
  int found = 0;
  for (int i = 0; i < N; i++) found = found < a[i] ? a[i] : found;
  return found;
}
int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int first = balance(a), high = greatest(a), front = a[0];
  for (int i = 0; i + 1 < N; i++) a[i] = a[i + 1];
  a[N - 1] = front;
  if (balance(a) != first || greatest(a) != high) reach_error();
}

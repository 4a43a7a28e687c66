// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
// Each activation gives its constants their first values.
static int sum(const int *numbers, int count, int *result) {
  const int last = numbers[count - 1];
  const int *pointer = &last;
  *result += *pointer;
  return count == 1 ? *result : sum(numbers, count - 1, result);
}
int main(void) {
  const int numbers[3] = {1, 2, 3};
  const struct { int a, b; } pair = {4, 5};
  int result = 0;
  int *target = &result;
  *target = pair.b;
  return sum(numbers, 3, &result) != 11;
}

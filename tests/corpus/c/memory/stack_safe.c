// expect: safe
// unknown: symbolic
// options: --property valid-memsafety
extern unsigned long strlen(const char *);
static int sum(const int *numbers, int count) {
  int i, total = 0;
  for (i = 0; i < count; i++)
    total += numbers[i];
  return total;
}
int main(void) {
  int numbers[4] = {1, 2, 3, 4};
  return sum(numbers, 4) - sum(numbers + 1, 3) - 1 + (int)strlen("") ;
}

// expect: unsafe
// options: --property no-uninitialised-read
// Each round of the loop enters the block of the switch anew.
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++)
    switch (i) {
      int x;
    case 0:
      x = 1;
      break;
    case 1:
      sum += x;
    }
  return sum;
}

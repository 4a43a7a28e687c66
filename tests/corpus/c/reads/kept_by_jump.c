// expect: safe
// options: --property no-uninitialised-read
// A jump that stays in the block and behind the declaration keeps the value.
int main(void) {
  int n = 0;
  {
    int x;
    x = 5;
  again:
    n++;
    if (n < 3)
      goto again;
    return x;
  }
}

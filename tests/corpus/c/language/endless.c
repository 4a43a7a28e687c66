// expect: safe
// unknown: symbolic
// The execution never ends, but it comes round to a state that was there before.
extern void reach_error(void);
int cell[3];
int main(void) {
  unsigned char n = 0;
  for (;;) {
    cell[n % 3] = n;
    n++;
    if (cell[0] > 255) reach_error();
  }
}

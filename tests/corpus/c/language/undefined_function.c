// expect: safe
// unknown: cegar, explicit, symbolic, bounded
extern void reach_error(void);
extern void fill(int *target);
int main(void) {
  int x = 0;
  fill(&x);
  if (x == 1) return 1;
  return 0;
}

// expect: safe
// unknown: symbolic
// States of a long execution that each hold a large array would not fit into memory.
extern void reach_error(void);
int a[100000];
int main(void) {
  long s = 0;
  for (int i = 0; i < 100000; i++) a[i] = i;
  for (int i = 0; i < 100000; i++) s += a[i];
  if (s != 4999950000L) reach_error();
  return 0;
}

// expect: unsafe
// unknown: bounded, symbolic, panda, cegar
// An increment that others can come into the middle of.
int count;
void *worker(void *p) {
  int before = count;
  count = before + 1;
  if (count <= before) __VERIFIER_error();
  return 0;
}
int main(void) {
  unsigned long t;
  for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0);
  return 0;
}

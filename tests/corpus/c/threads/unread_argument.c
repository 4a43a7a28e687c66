// expect: safe
// unknown: symbolic
// Nothing depends on how many arguments there are but that they are at least one.
int i = 3, j = 6;
void *first(void *p) { for (int k = 0; k < 3; k++) { __VERIFIER_atomic_begin(); i = j + 1; __VERIFIER_atomic_end(); } return 0; }
void *second(void *p) { for (int k = 0; k < 3; k++) { __VERIFIER_atomic_begin(); j = i + 1; __VERIFIER_atomic_end(); } return 0; }
int main(int argc, char **argv) {
  unsigned long t1, t2;
  pthread_create(&t1, 0, first, 0);
  pthread_create(&t2, 0, second, 0);
  __VERIFIER_atomic_begin();
  int c = i > 12;
  __VERIFIER_atomic_end();
  if (c) __VERIFIER_error();
  return 0;
}

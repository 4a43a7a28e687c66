// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
extern void *malloc(unsigned long), free(void *);
extern unsigned long strlen(const char *);
extern void *memset(void *, int, unsigned long);
static int *dangling(void) {
  int local = 3;
  int *pointer = &local;
  return pointer;
}
int main(void) {
  int numbers[4] = {1, 2, 3, 4}, n = 4, *p = malloc(8);
  char text[2] = "ab";
  free(p); *(long long *)&n = 1;
  return 0;
}

// expect: unsafe
// unknown: symbolic
// options: --property valid-memtrack
extern void *malloc(unsigned long);
struct pair { char *first; int second; };
static struct pair make(void) {
  struct pair pair = {malloc(1), 2};
  return pair;
}
int main(void) {
  if (make().second == 2)
    while (1) ;
  return 0;
}

/* Functions that run at the end of the program, the last one first. More than C promises are not modelled, and neither is
   a function that ends the program once more. */

void __unmodelled(void);

static void (*functions[32])(void);
static int count, is_ending;

int atexit(void (*function)(void)) {
  if (count == 32 || is_ending)
    __unmodelled();
  functions[count] = function;
  count++;
  return 0;
}
void __run_at_exit(void) {
  if (is_ending)
    __unmodelled();
  is_ending = 1;
  while (count > 0) {
    count--;
    functions[count]();
  }
}

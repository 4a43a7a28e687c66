// expect: unsafe
// unknown: symbolic
// options: --property valid-memsafety
void clear(char *text) { text[1] = 0; }
int main(void) {
  const char text[4] = "abc";
  clear((char *)text);
  return 0;
}

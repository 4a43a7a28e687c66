// expect: safe
// unknown: explicit, symbolic
// options: --property valid-memsafety
// A file is opened, read and closed.
#include <stdio.h>

int main(void) {
  char line[3] = "";
  FILE *file = fopen("a", "r");
  if (!file)
    return 1;
  if (fgets(line, sizeof line, file) && line[0] == 'x')
    fprintf(file, "%s", line);
  fclose(file);
  return 0;
}

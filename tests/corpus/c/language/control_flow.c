// expect: safe
extern void reach_error(void);
int kind(int n) {
  switch (n) {
    case 0: return 10;
    case 1:
    case 2: n += 5;
    case 3 ... 9: n++; break;
    default: return -1;
  }
  return n;
}
int main(void) {
  int i = 0, sum = 0;
again:
  if (i < 5) { sum += i++; goto again; }
  do { if (i == 7) continue; if (i > 8) break; } while (++i < 20);
  for (int j = 0; ; j++) { if (j == 3) break; sum += j; }
  if (kind(0) != 10 || kind(1) != 7 || kind(2) != 8 || kind(4) != 5 || kind(11) != -1 || sum != 13 || i != 9)
    reach_error();
  return 0;
}

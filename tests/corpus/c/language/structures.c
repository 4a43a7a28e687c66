// expect: safe
// unknown: symbolic
extern void reach_error(void);
struct point { int x, y; char name[3]; };
union word { int whole; unsigned char bytes[4]; };
struct flags { unsigned low : 3; int high : 5; };
struct point moved(struct point p, int by) { p.x += by; p.y -= by; return p; }
int main(void) {
  struct point a = { 1, 2, "ab" }, b;
  union word w;
  struct flags f = { 0, 0 };
  b = moved(a, 10);
  w.whole = 0x01020304;
  f.low = 13;
  f.high = -3;
  if (a.x != 1 || b.x != 11 || b.y != -8 || b.name[1] != 'b' || w.bytes[0] != 4 || f.low != 5 || f.high != -3)
    reach_error();
  return 0;
}

// expect: safe
// unknown: symbolic
// A list in braces or a whole value replaces what its part was given before; items without braces only what they name.
extern void reach_error(void);
struct pair {
    int p, q;
};
struct outer {
    int x[2];
    struct pair y;
};
struct bits {
    unsigned a : 3;
    unsigned b : 26;
    unsigned c : 3;
};
union either {
    int i;
    short s[2];
};
static int rows[3][2] = {[1] = {1, 2}, [0] = {3}, {4}, 6};
static int flat[2][2] = {[0][1] = 5, [0] = 7, 8};
static struct bits fields[3] = {[0 ... 2] = {1, 5}, [2] = {.c = 3, .a = 2}, [0] = {3, 7, 2}, {.a = 4}};
static char texts[3][4] = {[0 ... 2] = "abc", [1] = "x", "y"};
static union either unions[2] = {[0 ... 1] = {.i = -1}, [0] = {.s = {1}}, {.s[0] = 2}};
int main(void) {
    struct outer kept = {.y.q = 9, .y = 3}, replaced = {.y.q = 9, .y = {3}};
    struct outer whole[4] = {[1 ... 2] = (struct outer){.x = {1, 2}}, {.y = {3}}};
    if (rows[0][0] != 3 || rows[0][1] != 0 || rows[1][0] != 4 || rows[1][1] != 0 || rows[2][0] != 6) reach_error();
    if (flat[0][0] != 7 || flat[0][1] != 8 || flat[1][0] != 0) reach_error();
    if (fields[0].b != 7 || fields[1].a != 4 || fields[1].b != 0 || fields[2].b != 0 || fields[2].c != 3) reach_error();
    if (texts[0][2] != 'c' || texts[1][2] != 0 || texts[2][0] != 'y' || texts[2][2] != 0) reach_error();
    if (unions[0].s[0] != 1 || unions[0].s[1] != 0 || unions[1].s[0] != 2 || unions[1].s[1] != 0) reach_error();
    if (kept.y.p != 3 || kept.y.q != 9 || replaced.y.p != 3 || replaced.y.q != 0) reach_error();
    if (whole[1].x[1] != 2 || whole[2].x[0] != 1 || whole[3].y.p != 3 || whole[3].x[0] != 0) reach_error();
    return 0;
}

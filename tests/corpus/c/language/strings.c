// expect: safe
// unknown: symbolic
// A string that is shorter than its array is followed by zeros.
extern void reach_error(void);
struct record {
    char text[6];
    int number;
};
static char shared[4] = "ab";
int main(void) {
    const char local[5] = "b\377";
    struct record record = {"ab", 3};
    char rows[2][5] = {"abcde", "x"};
    if (local[1] != -1 || local[2] != 0 || local[3] != 0 || local[4] != 0) reach_error();
    if (shared[1] != 'b' || shared[3] != 0) reach_error();
    if (record.text[5] != 0 || record.number != 3) reach_error();
    if (rows[0][4] != 'e' || rows[1][0] != 'x' || rows[1][4] != 0) reach_error();
    return 0;
}

// expect: safe
// unknown: symbolic
// Conversions, promotions and what assignments give, as gcc does them at 64 bits.
extern void reach_error(void);
static void check(int condition) {
    if (!condition) reach_error();
}
struct bits {
    unsigned a : 3;
    signed b : 4;
    unsigned long long wide : 40;
    _Bool flag : 1;
};
static int calls;
static int count(int value) {
    calls++;
    return value;
}
int main(void) {
    struct bits s = {0};
    // The value of an assignment is what the bit-field then holds, promoted to int.
    check((s.a = 9) == 1 && (s.a = 1) - 2 < 0 && (s.b = 9) == -7 && (s.flag = 2) == 1);
    check((s.a += 7) == 0 && s.a-- == 0 && s.a == 7 && ++s.a == 0);
    s.wide = -1;
    check((unsigned long long)s.wide == 0xffffffffffULL);
    // Narrow types are computed in int and converted back.
    unsigned char c = 250;
    check((c += 10) == 4 && (c <<= 7) == 0);
    c = 200;
    check((c *= 2) == 144 && (c >>= 1) == 72 && -c == -72 && ~c == -73);
    signed char n = 127;
    n++;
    check(n == -128 && n-- == -128 && n == 127);
    short h = 32767;
    check((h += 1) == -32768);
    // Signs.
    check(-1 > 0u && -1 < 0L + 1 && (unsigned char)-1 == 255 && (unsigned)-1 / 2 == 2147483647u);
    check(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1 && -8 >> 1 == -4 && -1 >> 31 == -1);
    check((1u << 31) >> 31 == 1 && (int)(1u << 31) < 0 && 1L << 40 != 0 && (unsigned short)70000 == 4464);
    check(sizeof('a') == 4 && sizeof(c + c) == 4 && sizeof(1 ? c : 1L) == 8 && sizeof(c++) == 1 && c == 72);
    // Order: the left one of && and || first, and the right one only if needed; one part of ?:.
    check((count(0) && count(1)) == 0 && calls == 1 && (count(2) || count(3)) == 1 && calls == 2);
    check((count(0) ? count(1) : count(5)) == 5 && calls == 4 && (count(1), count(7)) == 7);
    int i = 3, a[4] = {0, 1, 2, 3};
    int *p = a + 1, *q = &a[3];
    check(q - p == 2 && p - q == -2 && p < q && (char *)q - (char *)p == 8 && *p++ == 1 && *--q == 2 && p == q);
    check(i++ + 4 == 7 && i == 4 && (i -= 5) == -1 && (i ^= -1) == 0 && !i && !!p);
    // Floating values lose their fraction; a number that is too precise is rounded.
    check((int)-2.75 == -2 && (int)2.75 == 2 && (_Bool)0.25 == 1 && (float)16777217 == 16777216.0f);
    // Two unsigned factors, and a signed product.
    long product;
    check(__builtin_mul_overflow(1ull << 62, 2ull, &product) && product < 0);
    check(!__builtin_mul_overflow(1ull << 61, 2u, &product) && product == 1L << 62);
    int t = 7;
    t *= 1.5;
    check(t == 10 && 1 / 2 * 2.0 == 0 && (t += -0.5) == 9);
    return 0;
}

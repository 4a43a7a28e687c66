// expect: safe
// What is printed keeps no input alive: the explicit engine need not try every value.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int printf(const char *format, ...);
int puts(const char *text);
int putchar(int byte);
int main(void) {
    int x = __VERIFIER_nondet_int();
    printf("%d %s\n", x, "text");
    if (printf("abc") != 3) reach_error();
    if (putchar('a' + 256) != 'a') reach_error();
    puts("x");
    return 0;
}

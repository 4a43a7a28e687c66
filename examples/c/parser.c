// Sums and products of digits with parentheses, by recursive descent: "2*(3+4)".
#include <assert.h>

#define LENGTH 3

static char text[LENGTH + 1];
static int at;

static int sum(int depth);

/* A digit or a sum in parentheses; -1 is an error. */
static int factor(int depth) {
    if (text[at] >= '0' && text[at] <= '9')
        return text[at++] - '0';
    if (text[at] != '(' || depth == 0)
        return -1;
    at++;
    int value = sum(depth - 1);
    if (text[at] != ')')
        return -1;
    at++;
    return value;
}

static int product(int depth) {
    int value = factor(depth);
    while (value >= 0 && text[at] == '*') {
        at++;
        int next = factor(depth);
        value = next < 0 ? -1 : value * next;
    }
    return value;
}

static int sum(int depth) {
    int value = product(depth);
    while (value >= 0 && text[at] == '+') {
        at++;
        int next = product(depth);
        value = next < 0 ? -1 : value + next;
    }
    return value;
}

char __VERIFIER_nondet_char(void);

int main(void) {
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    text[LENGTH] = 0;
    int value = sum(2);
    assert(value >= -1 && value <= 81);
    assert(at <= LENGTH);
    return 0;
}

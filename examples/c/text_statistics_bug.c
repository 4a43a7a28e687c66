// Statistics of the numbers in the text on standard input: how many there are of each last digit.
// With an argument, only positive numbers count.
// Wrong: the last digit of a negative number is taken to be no negative one.
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

#define DIGITS 10

static unsigned last_digit(int number) {
    return number % DIGITS;
}

int main(int argc, char *argv[]) {
    unsigned counts[DIGITS] = {0};
    int number;
    if (argc > 2) {
        fprintf(stderr, "usage: text_statistics [positive]\n");
        return 2;
    }
    bool only_positive = argv[1] != NULL;
    while (scanf("%d", &number) == 1) {
        if (only_positive && number <= 0)
            continue;
        unsigned digit = last_digit(number);
        assert(digit < DIGITS);
        counts[digit]++;
    }
    for (int i = 0; i < DIGITS; i++)
        printf("%d: %u\n", i, counts[i]);
    return 0;
}

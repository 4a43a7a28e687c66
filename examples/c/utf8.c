// Decodes a character of UTF-8, as RFC 3629 has it: the shortest form only, and no surrogates.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define BAD 0xFFFFFFFFu

/* The character at the start of the bytes, and how many bytes it has. */
static uint32_t decode(const unsigned char *bytes, size_t count, size_t *length) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *length = 1;
    if (count == 0)
        return BAD;
    unsigned char first = bytes[0];
    if (first < 0x80)
        return first;
    size_t wanted = first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xC0 && first < 0xE0 ? 2 : 0;
    if (wanted == 0 || wanted > count)
        return BAD;
    uint32_t character = first & (0x7F >> wanted);
    for (size_t i = 1; i < wanted; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return BAD;
        character = character << 6 | (bytes[i] & 0x3F);
    }
    if (character < least[wanted] || character > 0x10FFFF || (character >= 0xD800 && character <= 0xDFFF))
        return BAD;
    *length = wanted;
    return character;
}

unsigned char __VERIFIER_nondet_uchar(void);
unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char bytes[4];
    size_t count = __VERIFIER_nondet_uint() % 5;
    for (size_t i = 0; i < count; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    size_t length;
    uint32_t character = decode(bytes, count, &length);
    if (character != BAD) {
        assert(length <= count);
        assert(character <= 0x10FFFF);
        assert((length == 1) == (character < 0x80));
    }
    return 0;
}

/* <ctype.h>, in the C locale. An argument is a character or EOF. */

int isdigit(int c) { return c >= '0' && c <= '9'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int isalpha(int c) { return islower(c) || isupper(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int isprint(int c) { return c >= 32 && c < 127; }
int isgraph(int c) { return c > 32 && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }
int tolower(int c) { return isupper(c) ? c + ('a' - 'A') : c; }
int toupper(int c) { return islower(c) ? c - ('a' - 'A') : c; }

/* What the macros of the GNU library read: the classes of the characters from -128 to 255. The bits are those of a
   little-endian machine: upper 0x100, lower 0x200, alpha 0x400, digit 0x800, hexadecimal 0x1000, space 0x2000, print
   0x4000, graph 0x8000, blank 1, control 2, punctuation 4, alphanumeric 8. */
const unsigned short **__ctype_b_loc(void) {
  static const unsigned short classes[384] = {
      [128 + 0 ... 128 + 8] = 0x2,       [128 + '\t'] = 0x2003,
      [128 + '\n' ... 128 + '\r'] = 0x2002, [128 + 14 ... 128 + 31] = 0x2,
      [128 + ' '] = 0x6001,              [128 + '!' ... 128 + '/'] = 0xc004,
      [128 + '0' ... 128 + '9'] = 0xd808, [128 + ':' ... 128 + '@'] = 0xc004,
      [128 + 'A' ... 128 + 'F'] = 0xd508, [128 + 'G' ... 128 + 'Z'] = 0xc508,
      [128 + '[' ... 128 + '`'] = 0xc004, [128 + 'a' ... 128 + 'f'] = 0xd608,
      [128 + 'g' ... 128 + 'z'] = 0xc608, [128 + '{' ... 128 + '~'] = 0xc004,
      [128 + 127] = 0x2,
  };
  static const unsigned short *start = classes + 128;
  return &start;
}

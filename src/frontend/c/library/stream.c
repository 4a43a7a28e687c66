/* Streams of <stdio.h>. What is read is any bytes; a stream can end, and a read can fail, at any time. What was read ahead
   and put back is read again, and what is known of the next character is kept: behind a number there is no digit. */

typedef __typeof__(sizeof(0)) size_t;
typedef unsigned long long mask;

int __VERIFIER_nondet_int(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
void __VERIFIER_assume(int condition);
void __unmodelled(void);
int *__errno_location(void);
void *malloc(size_t size);
void *realloc(void *old, size_t size);

/* The next character, from 0 to 255, or what is known of it. */
enum next {
  ANYTHING = -1,
  NO_DIGIT = -2,
  NO_OCTAL = -3,
  NO_HEX = -4,
  NO_SPACE = -5,
  NO_INTEGER = -6, /* It is there, and no number starts with it. */
  NO_HEX_NUMBER = -7,
  NO_FLOAT = -8,
};
struct stream { int is_open, has_ended, has_failed, next; };
static struct stream files[16];
static struct stream input = {1, 0, 0, ANYTHING}, output = {1, 0, 0, ANYTHING}, errors = {1, 0, 0, ANYTHING};
struct stream *stdin = &input, *stdout = &output, *stderr = &errors;

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int is_digit(int c) { return c >= '0' && c <= '9'; }
static int is_hex(int c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static int is_sign(int c) { return c == '+' || c == '-'; }

/* Whether the character can be the next one; -1 is the end, -2 a failure. */
static int can_be(int next, int c) {
  switch (next) {
  case ANYTHING: return 1;
  case NO_DIGIT: return !is_digit(c);
  case NO_OCTAL: return c < '0' || c > '7';
  case NO_HEX: return !is_hex(c);
  case NO_SPACE: return !is_space(c);
  case NO_INTEGER: return c >= 0 && !is_space(c) && !is_digit(c) && !is_sign(c);
  case NO_HEX_NUMBER: return c >= 0 && !is_space(c) && !is_hex(c) && !is_sign(c);
  }
  return c >= 0 && !is_space(c) && !is_digit(c) && !is_sign(c) && c != '.' && c != 'i' && c != 'I' && c != 'n' && c != 'N';
}

/* A stream that is closed is gone. */
static struct stream *opened(struct stream *stream) {
  if (!stream->is_open)
    __builtin_unreachable();
  return stream;
}
void *__standard_input(void) { return stdin; }
void __use_stream(void *stream) { opened(stream); }

/* The next character, or -1. */
static int __VERIFIER_atomic_take(struct stream *stream) {
  int c = opened(stream)->next;
  if (c < 0) {
    int any, end;
    if (stream->has_ended)
      return -1;
    any = __VERIFIER_nondet_uchar();
    end = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(end <= 2);
    if (end)
      any = -end;
    __VERIFIER_assume(can_be(c, any));
    c = any;
    if (c == -1)
      stream->has_ended = 1;
    if (c == -2) {
      stream->has_failed = 1;
      *__errno_location() = 5;
      c = -1;
    }
  }
  stream->next = ANYTHING;
  return c;
}
static void __VERIFIER_atomic_put_back(struct stream *stream, int c) {
  if (c >= 0)
    stream->next = c;
}

int fgetc(void *stream) { return __VERIFIER_atomic_take(stream); }
int getc(void *stream) { return __VERIFIER_atomic_take(stream); }
int _IO_getc(void *stream) { return __VERIFIER_atomic_take(stream); }
int getc_unlocked(void *stream) { return __VERIFIER_atomic_take(stream); }
int fgetc_unlocked(void *stream) { return __VERIFIER_atomic_take(stream); }
int getchar(void) { return __VERIFIER_atomic_take(stdin); }
int getchar_unlocked(void) { return __VERIFIER_atomic_take(stdin); }

/* One character can be put back. */
static int __VERIFIER_atomic_unget(struct stream *stream, int c) {
  if (c == -1)
    return -1;
  if (opened(stream)->next != ANYTHING)
    __unmodelled();
  stream->next = (unsigned char)c;
  stream->has_ended = 0;
  return (unsigned char)c;
}
int ungetc(int c, void *stream) { return __VERIFIER_atomic_unget(stream, c); }

/* Where a read fails, what was read before is there, without a zero. */
char *fgets(char *to, int size, void *stream) {
  int n = 0, c;
  struct stream *from = opened(stream);
  if (size <= 0)
    return 0;
  while (n < size - 1) {
    c = __VERIFIER_atomic_take(from);
    if (c < 0) {
      if (n == 0 || !from->has_ended)
        return 0;
      break;
    }
    to[n] = (char)c;
    n++;
    if (c == '\n')
      break;
  }
  to[n] = 0;
  return to;
}
char *fgets_unlocked(char *to, int size, void *stream) { return fgets(to, size, stream); }
char *gets(char *to) {
  int n = 0, c;
  while ((c = __VERIFIER_atomic_take(stdin)) != '\n') {
    if (c < 0) {
      if (n == 0 || !stdin->has_ended)
        return 0;
      break;
    }
    to[n] = (char)c;
    n++;
  }
  to[n] = 0;
  return to;
}
long getdelim(char **line, size_t *size, int end, void *stream) {
  size_t n = 0;
  int c;
  if (!line || !size) {
    *__errno_location() = 22;
    return -1;
  }
  if (!*line || *size == 0) {
    *line = realloc(*line, 120);
    *size = 120;
  }
  do {
    c = __VERIFIER_atomic_take(stream);
    if (c < 0) {
      if (n == 0 || !((struct stream *)stream)->has_ended)
        return -1;
      break;
    }
    if (n + 1 >= *size) {
      *line = realloc(*line, 2 * *size);
      *size = 2 * *size;
    }
    (*line)[n] = (char)c;
    n++;
  } while (c != end);
  (*line)[n] = 0;
  return (long)n;
}
long getline(char **line, size_t *size, void *stream) { return getdelim(line, size, '\n', stream); }

size_t fread(void *to, size_t size, size_t count, void *stream) {
  char *bytes = to;
  size_t i, n;
  opened(stream);
  if (size == 0 || count == 0)
    return 0;
  for (n = 0; n < count; n++)
    for (i = 0; i < size; i++) {
      int c = __VERIFIER_atomic_take(stream);
      if (c < 0)
        return n;
      bytes[n * size + i] = (char)c;
    }
  return count;
}
size_t fwrite(const void *from, size_t size, size_t count, void *stream) {
  const char *bytes = from;
  size_t i, n = (size_t)__VERIFIER_nondet_int();
  opened(stream);
  if (size == 0 || count == 0)
    return 0;
  for (i = 0; i < size * count; i++)
    (void)*(volatile const char *)&bytes[i];
  if (n < count) {
    *__errno_location() = 5;
    return n;
  }
  return count;
}

/* Who knows something of the next character has looked at it, and knows whether there is one. */
static void look(struct stream *stream) {
  if (opened(stream)->next < ANYTHING)
    __VERIFIER_atomic_put_back(stream, __VERIFIER_atomic_take(stream));
}
static int __VERIFIER_atomic_ended(struct stream *stream) {
  look(stream);
  return stream->has_ended;
}
static int __VERIFIER_atomic_failed(struct stream *stream) {
  look(stream);
  return stream->has_failed;
}
int feof(void *stream) { return __VERIFIER_atomic_ended(stream); }
int ferror(void *stream) { return __VERIFIER_atomic_failed(stream); }
int feof_unlocked(void *stream) { return __VERIFIER_atomic_ended(stream); }
int ferror_unlocked(void *stream) { return __VERIFIER_atomic_failed(stream); }
static void __VERIFIER_atomic_clear(struct stream *stream, int forgets) {
  opened(stream)->has_ended = 0;
  stream->has_failed = 0;
  if (forgets)
    stream->next = ANYTHING;
}
void clearerr(void *stream) { __VERIFIER_atomic_clear(stream, 0); }

/* A file can be opened, or not. */
static void *__VERIFIER_atomic_stream(void) {
  int i;
  for (i = 0; i < 16; i++)
    if (!files[i].is_open) {
      files[i].is_open = 1;
      files[i].next = ANYTHING;
      files[i].has_ended = files[i].has_failed = 0;
      return &files[i];
    }
  __unmodelled();
  return 0;
}
static void *open_stream(void) {
  int error = __VERIFIER_nondet_uchar();
  if (error == 0)
    return __VERIFIER_atomic_stream();
  *__errno_location() = error;
  return 0;
}
static void read_text(const char *text) {
  while (*text)
    text++;
}
void *fopen(const char *name, const char *mode) {
  read_text(name);
  read_text(mode);
  return open_stream();
}
void *fopen64(const char *name, const char *mode) { return fopen(name, mode); }
void *tmpfile(void) { return open_stream(); }
static void __VERIFIER_atomic_close(struct stream *stream) { opened(stream)->is_open = 0; }
int fclose(void *stream) {
  int error = __VERIFIER_nondet_uchar();
  __VERIFIER_atomic_close(stream);
  if (error == 0)
    return 0;
  *__errno_location() = error;
  return -1;
}

/* What is somewhere else in a file is any text. */
int fseek(void *stream, long offset, int origin) {
  int error = __VERIFIER_nondet_uchar();
  opened(stream);
  if (error > 0) {
    *__errno_location() = error;
    return -1;
  }
  __VERIFIER_atomic_clear(stream, 1);
  return 0;
}
void rewind(void *stream) { __VERIFIER_atomic_clear(stream, 1); }
long ftell(void *stream) {
  int place = __VERIFIER_nondet_int();
  opened(stream);
  if (place < 0) {
    *__errno_location() = 29;
    return -1;
  }
  return place;
}
int remove(const char *name) {
  int error = __VERIFIER_nondet_uchar();
  read_text(name);
  if (error == 0)
    return 0;
  *__errno_location() = error;
  return -1;
}
int rename(const char *from, const char *to) {
  read_text(to);
  return remove(from);
}

/* What `scanf` is made of: 1 where something is read, 0 where the text does not fit, -1 where there is none. */
static void __VERIFIER_atomic_skip(struct stream *stream) {
  int next = opened(stream)->next;
  if (next == ANYTHING || next == NO_DIGIT || next == NO_OCTAL || next == NO_HEX || is_space(next))
    stream->next = NO_SPACE;
}
int __scan_space(void *stream) {
  __VERIFIER_atomic_skip(stream);
  return 1;
}
int __scan_literal(void *stream, int wanted) {
  int c = __VERIFIER_atomic_take(stream);
  if (c == wanted)
    return 1;
  __VERIFIER_atomic_put_back(stream, c);
  return c < 0 ? -1 : 0;
}

/* A number. `kind` is 10 for decimal ones, 0 for those that say their base, 8, 16, or 1 for floating-point ones. A number
   without a width ends before a character that is no part of it. A sign is taken even if no number follows it. */
static int __VERIFIER_atomic_number(struct stream *stream, int kind, int has_width) {
  int outcome = __VERIFIER_nondet_char();
  int next = opened(stream)->next;
  int none = kind == 1 ? NO_FLOAT : kind == 16 ? NO_HEX_NUMBER : NO_INTEGER;
  if (next == none || (next <= NO_INTEGER && none == NO_INTEGER) || (next >= 0 && can_be(none, next)))
    return 0;
  if (next <= NO_INTEGER || (next >= 0 && !is_space(next)))
    __unmodelled();
  if (stream->has_ended)
    return -1;
  __VERIFIER_assume(outcome >= -2 && outcome <= 2);
  stream->next = ANYTHING;
  switch (outcome) {
  case -1:
    stream->has_ended = 1;
    return -1;
  case -2:
    stream->has_failed = 1;
    *__errno_location() = 5;
    return -1;
  case 0: /* Nothing is taken. */
    if (kind == 8) {
      int c = __VERIFIER_nondet_uchar();
      __VERIFIER_assume(!is_space(c) && !is_sign(c) && (c < '0' || c > '7'));
      none = c;
    }
    stream->next = none;
    return 0;
  case 2: /* A sign is taken, or a part of a number that is none. */
    if (kind != 1 && !has_width)
      stream->next = kind == 16 ? NO_HEX : kind == 8 ? NO_OCTAL : NO_DIGIT;
    return 0;
  }
  if (kind != 1 && !has_width)
    stream->next = kind == 16 ? NO_HEX : kind == 8 || kind == 0 ? NO_OCTAL : NO_DIGIT;
  return 1;
}
int __scan_number(void *stream, int kind, int has_width) { return __VERIFIER_atomic_number(stream, kind, has_width); }
/* A digit can follow `inf`, but not a number. */
static void __VERIFIER_atomic_behind_float(struct stream *stream, int is_finite) {
  if (is_finite)
    stream->next = NO_DIGIT;
}
int __scan_float(void *stream, float *to, int keeps) {
  float value = __VERIFIER_nondet_float();
  int outcome = __VERIFIER_atomic_number(stream, 1, 0);
  if (outcome == 1) {
    __VERIFIER_atomic_behind_float(stream, __builtin_isfinite(value));
    if (keeps)
      *to = value;
  }
  return outcome;
}
int __scan_double(void *stream, double *to, int keeps) {
  double value = __VERIFIER_nondet_double();
  int outcome = __VERIFIER_atomic_number(stream, 1, 0);
  if (outcome == 1) {
    __VERIFIER_atomic_behind_float(stream, __builtin_isfinite(value));
    if (keeps)
      *to = value;
  }
  return outcome;
}

static int is_in(int c, mask a, mask b, mask d, mask e) {
  mask part = c < 64 ? a : c < 128 ? b : c < 192 ? d : e;
  return (part >> (c & 63)) & 1;
}
/* Characters of a set, `most` of them unless it is 0, with a zero behind them unless they go nowhere. */
int __scan_set(void *stream, char *to, int keeps, size_t most, mask a, mask b, mask d, mask e) {
  size_t n = 0;
  int c = __VERIFIER_atomic_take(stream);
  if (c < 0)
    return -1;
  if (!is_in(c, a, b, d, e)) {
    __VERIFIER_atomic_put_back(stream, c);
    return 0;
  }
  for (;;) {
    if (keeps)
      to[n] = (char)c;
    n++;
    if (n == most)
      break;
    c = __VERIFIER_atomic_take(stream);
    if (c < 0)
      break;
    if (!is_in(c, a, b, d, e)) {
      __VERIFIER_atomic_put_back(stream, c);
      break;
    }
  }
  if (keeps)
    to[n] = 0;
  return 1;
}
int __scan_word(void *stream, char *to, int keeps, size_t most) {
  size_t n = 0;
  int c;
  __VERIFIER_atomic_skip(stream);
  c = __VERIFIER_atomic_take(stream);
  if (c < 0)
    return -1;
  for (;;) {
    if (keeps)
      to[n] = (char)c;
    n++;
    if (n == most)
      break;
    c = __VERIFIER_atomic_take(stream);
    if (c < 0)
      break;
    if (is_space(c)) {
      __VERIFIER_atomic_put_back(stream, c);
      break;
    }
  }
  if (keeps)
    to[n] = 0;
  return 1;
}
/* The GNU library is content with fewer characters, but not with none. */
int __scan_chars(void *stream, char *to, int keeps, size_t count) {
  size_t n;
  for (n = 0; n < count; n++) {
    int c = __VERIFIER_atomic_take(stream);
    if (c < 0)
      return n == 0 ? -1 : 1;
    if (keeps)
      to[n] = (char)c;
  }
  return 1;
}

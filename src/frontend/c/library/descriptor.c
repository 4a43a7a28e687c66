/* File descriptors and sockets: <unistd.h>, <sys/socket.h>. What is read is any bytes; every call can fail. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);
void __unmodelled(void);
int *__errno_location(void);

/* The descriptors that were opened here and are not closed. Which are open besides is not known, so that a new one is any
   number below the largest limit that Linux has by default, but not one of these. */
static int opened[32];
static int count;
/* Of each the family and the type of its socket, where it is one. */
static int families[32], types[32];

static int fail(void) {
  int error = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(error > 0 && error < 134);
  *__errno_location() = error;
  return -1;
}
static int fails(void) { return __VERIFIER_nondet_uchar() & 1; }

static int __VERIFIER_atomic_descriptor(int family, int type) {
  int i, descriptor = __VERIFIER_nondet_int();
  __VERIFIER_assume(descriptor >= 0 && descriptor < 1048576);
  if (count == 32)
    __unmodelled();
  for (i = 0; i < count; i++)
    __VERIFIER_assume(descriptor != opened[i]);
  opened[count] = descriptor;
  families[count] = family;
  types[count] = type;
  count++;
  return descriptor;
}
static void __VERIFIER_atomic_closed(int descriptor) {
  int i;
  for (i = 0; i < count; i++)
    if (opened[i] == descriptor) {
      count--;
      opened[i] = opened[count];
      families[i] = families[count];
      types[i] = types[count];
      return;
    }
}
static int new_descriptor(int family, int type) { return fails() ? fail() : __VERIFIER_atomic_descriptor(family, type); }
/* The family of a socket of the type, where it was made here: what others are is not known. */
static int __VERIFIER_atomic_family(int descriptor, int type) {
  int i;
  for (i = 0; i < count; i++)
    if (opened[i] == descriptor && (types[i] & 15) == type)
      return families[i];
  __unmodelled();
  return 0;
}
static int done(void) { return fails() ? fail() : 0; }

/* So many bytes are read, or it fails. */
static long take(int descriptor, void *to, size_t size) {
  char *bytes = to;
  long i, n = __VERIFIER_nondet_long();
  if (descriptor < 0 || n < 0)
    return fail();
  /* Linux moves at most so many bytes at once; whether that succeeds is open. */
  if (size > 0x7fffffff)
    __unmodelled();
  __VERIFIER_assume((size_t)n <= size);
  for (i = 0; i < n; i++)
    bytes[i] = (char)__VERIFIER_nondet_uchar();
  return n;
}
static long give(int descriptor, const void *from, size_t size) {
  const char *bytes = from;
  size_t i;
  long n = __VERIFIER_nondet_long();
  for (i = 0; i < size; i++)
    (void)*(volatile const char *)&bytes[i];
  if (descriptor < 0 || n < 0)
    return fail();
  /* Linux moves at most so many bytes at once; whether that succeeds is open. */
  if (size > 0x7fffffff)
    __unmodelled();
  __VERIFIER_assume((size_t)n <= size);
  return n;
}
static void look(const void *from, size_t size) {
  const char *bytes = from;
  size_t i;
  for (i = 0; i < size; i++)
    (void)*(volatile const char *)&bytes[i];
}
/* The address of who is at the other end, cut where there is no room: its family, and anything. */
static void address(int family, void *to, unsigned *size) {
  unsigned char *bytes = to;
  unsigned i, length = family == 2 ? 16 : 28;
  if (family != 2 && family != 10)
    __unmodelled();
  for (i = 0; i < length && i < *size; i++)
    bytes[i] = i == 0 ? (unsigned char)family : i == 1 ? 0 : __VERIFIER_nondet_uchar();
  *size = length;
}

long read(int descriptor, void *to, size_t size) { return take(descriptor, to, size); }
long write(int descriptor, const void *from, size_t size) { return give(descriptor, from, size); }
int close(int descriptor) {
  if (descriptor < 0) {
    *__errno_location() = 9;
    return -1;
  }
  __VERIFIER_atomic_closed(descriptor);
  return done();
}
int socket(int domain, int type, int protocol) { return new_descriptor(domain, type); }
int bind(int descriptor, const void *to, unsigned size) {
  look(to, size);
  return descriptor < 0 ? fail() : done();
}
int connect(int descriptor, const void *to, unsigned size) {
  look(to, size);
  return descriptor < 0 ? fail() : done();
}
int listen(int descriptor, int most) { return descriptor < 0 ? fail() : done(); }
int shutdown(int descriptor, int how) { return descriptor < 0 ? fail() : done(); }
int setsockopt(int descriptor, int level, int name, const void *value, unsigned size) {
  look(value, size);
  return descriptor < 0 ? fail() : done();
}
int accept(int descriptor, void *to, unsigned *size) {
  int new, family;
  if (descriptor < 0)
    return fail();
  family = __VERIFIER_atomic_family(descriptor, 1);
  new = new_descriptor(family, 1);
  if (new >= 0 && to)
    address(family, to, size);
  return new;
}
long recv(int descriptor, void *to, size_t size, int flags) {
  /* With MSG_TRUNC more can be told than there is. */
  if (flags & 0x20)
    __unmodelled();
  return take(descriptor, to, size);
}
long recvfrom(int descriptor, void *to, size_t size, int flags, void *sender, unsigned *length) {
  long n = recv(descriptor, to, size, flags);
  if (n >= 0 && sender)
    address(__VERIFIER_atomic_family(descriptor, 2), sender, length);
  return n;
}
long send(int descriptor, const void *from, size_t size, int flags) { return give(descriptor, from, size); }
long sendto(int descriptor, const void *from, size_t size, int flags, const void *to, unsigned length) {
  if (to)
    look(to, length);
  return give(descriptor, from, size);
}

/* Addresses of four decimal numbers. */
unsigned inet_addr(const char *text) {
  unsigned address = 0;
  int part, i = 0;
  for (part = 0; part < 4; part++) {
    unsigned number = 0;
    int digits = 0;
    if (text[i] == '0' && text[i + 1] >= '0' && text[i + 1] <= '9')
      __unmodelled();
    while (text[i] >= '0' && text[i] <= '9' && digits < 4) {
      number = number * 10 + (unsigned)(text[i] - '0');
      digits++;
      i++;
    }
    if (digits == 0 || number > 255)
      __unmodelled();
    address = address | number << 8 * part;
    if (part < 3) {
      if (text[i] != '.')
        __unmodelled();
      i++;
    }
  }
  if (text[i])
    __unmodelled();
  return address;
}

/* What a process knows of itself, of <unistd.h>, and <stdio.h>'s buffers. No signal is handled here, so that nothing
   ends a sleep before its time. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __unmodelled(void);

/* An identity is any number, and stays what it is: what would change it is not modelled. */
struct identity { int is_known; int number; };
static struct identity process, parent, user, effective_user, group, effective_group;

static int __VERIFIER_atomic_identity(struct identity *identity, int least, int most) {
  if (!identity->is_known) {
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= least && number <= most);
    identity->is_known = 1;
    identity->number = number;
  }
  return identity->number;
}

int getpid(void) { return __VERIFIER_atomic_identity(&process, 1, 0x7fffffff); }
int getppid(void) { return __VERIFIER_atomic_identity(&parent, 0, 0x7fffffff); }
unsigned getuid(void) { return __VERIFIER_atomic_identity(&user, -0x7fffffff - 1, 0x7fffffff); }
unsigned geteuid(void) { return __VERIFIER_atomic_identity(&effective_user, -0x7fffffff - 1, 0x7fffffff); }
unsigned getgid(void) { return __VERIFIER_atomic_identity(&group, -0x7fffffff - 1, 0x7fffffff); }
unsigned getegid(void) { return __VERIFIER_atomic_identity(&effective_group, -0x7fffffff - 1, 0x7fffffff); }

/* What a command does is outside of the program; a shell is there. */
int system(const char *command) {
  int status = __VERIFIER_nondet_int();
  if (!command)
    return 1;
  while (*command)
    command++;
  return status;
}

unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }

/* A buffer of the program's own would be written to later. */
void setbuf(void *stream, char *buffer) {
  if (buffer)
    __unmodelled();
}
void setlinebuf(void *stream) {}
int setvbuf(void *stream, char *buffer, int mode, size_t size) {
  if (buffer || mode < 0 || mode > 2)
    __unmodelled();
  return 0;
}

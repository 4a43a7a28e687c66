// expect: safe
// unknown: symbolic
// Copies that no other thread can look into stay one step, and nothing is taken for granted of them: those of locals,
// those before the threads start, those in atomic sections and those of objects that all take one lock for.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
struct pair { int a, b; };
struct wide { struct pair p[2]; long long l; char *text; };
struct pair locked, sectioned, early;
struct wide *heap;
long long counter;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void take(void) { pthread_mutex_lock(&m); }
static void release(void) { pthread_mutex_unlock(&m); }

struct pair swapped(struct pair p) {
  struct pair q = {p.b, p.a};
  return q;
}

void *work(void *argument) {
  struct wide mine, copy;
  memset(&mine, 0, sizeof mine);
  mine.p[0] = early;
  copy = mine;
  copy.p[1] = swapped(copy.p[0]);
  if (copy.p[1].a != 2) reach_error();
  take();
  locked = copy.p[0];
  heap->p[0] = copy.p[1];
  counter++;
  release();
  __VERIFIER_atomic_begin();
  sectioned = copy.p[0];
  __VERIFIER_atomic_end();
  return 0;
}

int main(void) {
  pthread_t t, u;
  struct pair first = {1, 2};
  early = first;
  locked = first;
  heap = malloc(sizeof *heap);
  memset(heap, 0, sizeof *heap);
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  take();
  struct pair seen = locked;
  release();
  if (seen.a != 1 || seen.b != 2) reach_error();
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}

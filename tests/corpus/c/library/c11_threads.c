// expect: safe
// unknown: symbolic
// The threads of C11: once, locks, conditions, results.
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static int x, ready;

static void start(void) { x = 10; }
static int work(void *argument) {
  call_once(&once, start);
  mtx_lock(&lock);
  x++;
  ready = 1;
  cnd_signal(&condition);
  mtx_unlock(&lock);
  return *(int *)argument;
}

int main(void) {
  thrd_t thread;
  int argument = 7, result;
  assert(mtx_init(&lock, mtx_plain) == thrd_success && cnd_init(&condition) == thrd_success);
  assert(thrd_create(&thread, work, &argument) == thrd_success);
  call_once(&once, start);
  mtx_lock(&lock);
  x++;
  while (!ready)
    cnd_wait(&condition, &lock);
  mtx_unlock(&lock);
  assert(thrd_join(thread, &result) == thrd_success && result == 7 && x == 12);
  return 0;
}

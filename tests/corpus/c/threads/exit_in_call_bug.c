// expect: unsafe
// unknown: symbolic
// What follows the end of a thread in a function that it calls is not executed.
#include <pthread.h>
#include <assert.h>
int x;
static void leave(int v) { if (v) { x++; pthread_exit((void *)5); } }
static void *run(void *a) { leave(0); leave(1); x += 100; return 0; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, run, 0); pthread_join(t, &r); assert((long)r == 5);
 assert(x == 101);
 return 0; }

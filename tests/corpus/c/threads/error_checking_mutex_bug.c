// expect: unsafe
// unknown: symbolic
// An error-checking mutex cannot be taken again.
#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
#include <assert.h>
pthread_mutex_t m; int n;
static void *run(void *x) { assert(pthread_mutex_lock(&m) == 0); int r = pthread_mutex_lock(&m);
 assert(r == 0);
 n++; assert(pthread_mutex_unlock(&m) == 0);
 return 0; }
static void *other(void *x) { int r = pthread_mutex_unlock(&m); assert(r == EPERM); return 0; }
int main(void) { pthread_t a, b, c; pthread_mutexattr_t at; pthread_mutexattr_init(&at);
 pthread_mutexattr_settype(&at, PTHREAD_MUTEX_ERRORCHECK);
 pthread_mutex_init(&m, &at); pthread_create(&a,0,run,0); pthread_create(&b,0,run,0); pthread_create(&c,0,other,0); pthread_join(a,0); pthread_join(b,0); pthread_join(c,0); assert(n == 2); return 0; }

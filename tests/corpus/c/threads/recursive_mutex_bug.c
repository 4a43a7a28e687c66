// expect: unsafe
// options: --property no-deadlock
// A mutex of the default kind is taken again by who has it.
#define _GNU_SOURCE
#include <pthread.h>
#include <errno.h>
#include <assert.h>
pthread_mutex_t m; int n;
static void inner(void) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }
static void *outer(void *x) { pthread_mutex_lock(&m); inner(); inner(); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t a, b; pthread_mutexattr_t at; pthread_mutexattr_init(&at);
 pthread_mutex_init(&m, &at); pthread_mutexattr_destroy(&at);
 pthread_create(&a,0,outer,0); pthread_create(&b,0,outer,0); pthread_join(a,0); pthread_join(b,0); assert(n == 4); pthread_mutex_destroy(&m); return 0; }

// expect: unsafe
// options: --property no-deadlock
// Where a mutex is tried, threads that wait for each other still do.
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
void *f(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }
void *g(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }
int main(void) { pthread_t s, t; if (pthread_mutex_trylock(&c) == 0) pthread_mutex_unlock(&c); pthread_create(&s,0,f,0); pthread_create(&t,0,g,0); pthread_join(s,0); pthread_join(t,0); return 0; }

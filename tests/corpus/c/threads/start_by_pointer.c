// expect: safe
// unknown: symbolic
// Threads start in functions that pointers point to.
#include <pthread.h>
#include <assert.h>
int x, y; 
static void *f(void *a) { x = 1; return 0; } static void *g(void *a) { y = 2; return 0; }
typedef void *(*start)(void *);
static start table[] = { f, g };
static pthread_t launch(start s, void *a) { pthread_t t; pthread_create(&t, 0, s, a); return t; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, table[i], 0); for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
 assert(x == 1 && y == 2); start s = x ? g : f; y = 0; pthread_t u = launch(s, 0); pthread_join(u, 0);
 assert(y == 2);
 return 0; }

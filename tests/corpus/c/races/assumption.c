// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
#include <stdio.h>
extern void __VERIFIER_assume(int);
int x;
void *t(void*a){ x=0; return 0;}
int main(){ pthread_t p; pthread_create(&p,0,t,0); __VERIFIER_assume(x==1); return 0;}

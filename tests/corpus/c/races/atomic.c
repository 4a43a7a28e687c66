// expect: safe
// options: --property no-data-race
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_nondet_int(void);
_Atomic int flag;
int guarded, plain, built;
void __VERIFIER_atomic_add(int n) { guarded = guarded + n; }
void *one(void *arg) {
  __VERIFIER_atomic_add(1);
  __sync_fetch_and_add(&built, 1);
  plain = 3;
  flag = 1;
  flag++;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, one, 0);
  __VERIFIER_atomic_begin();
  guarded = 5;
  __VERIFIER_atomic_end();
  if (__atomic_load_n(&built, __ATOMIC_SEQ_CST) == 0)
    __atomic_store_n(&built, 4, __ATOMIC_SEQ_CST);
  if (flag)
    plain = 4; /* Only once the other thread has written it. */
  return 0;
}

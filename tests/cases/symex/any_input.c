// Two threads add an input of 32 bits; no value is too large.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int x, sum;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *adds(void *p) {
  pthread_mutex_lock(&m);
  sum += x;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t s, t;
  x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x >= 0 && x <= 1000);
  pthread_create(&s, 0, adds, 0);
  pthread_create(&t, 0, adds, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(sum <= 2000);
}

// A child locks x and main locks y, which come from outside, and differ; neither unlocks.
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
sem_t one, other;
sem_t *x, *y;
static void *child(void *p) { sem_wait(x); return 0; }
int main(void) {
  sem_init(&one, 0, 1);
  sem_init(&other, 0, 1);
  x = __VERIFIER_nondet_int() ? &one : &other;
  y = __VERIFIER_nondet_int() ? &one : &other;
  __VERIFIER_assume(x != y);
  pthread_t t;
  pthread_create(&t, 0, child, 0);
  sem_wait(y);
  pthread_join(t, 0);
}

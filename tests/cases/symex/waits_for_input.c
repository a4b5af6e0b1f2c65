// A thread waits for what an input decides; it always comes.
#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
sem_t s;
static void *waits(void *p) { sem_wait(&s); return 0; }
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 7);
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, waits, 0);
  if (n > 7)
    sem_post(&s);
  pthread_join(t, 0);
}

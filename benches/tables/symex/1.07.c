// Two children lock one object and never unlock it.
#include <pthread.h>
#include <semaphore.h>
sem_t s;
static void *child(void *p) {
  sem_wait(&s);
  return 0;
}
int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  pthread_create(&a, 0, child, 0);
  pthread_create(&b, 0, child, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

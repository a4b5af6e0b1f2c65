// N philosophers take their forks for ever; with -D BROKEN nothing makes them do so in turn.
#include <pthread.h>
#ifndef N
#define N 4
#endif
pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER, forks[N];
static void *philosopher(void *p) {
  int i = (int)(long)p;
  pthread_mutex_t *left = &forks[i], *right = &forks[(i + 1) % N];
  for (;;) {
#ifndef BROKEN
    pthread_mutex_lock(&all);
#endif
    pthread_mutex_lock(left);
    pthread_mutex_lock(right);
#ifndef BROKEN
    pthread_mutex_unlock(&all);
#endif
    pthread_mutex_unlock(left);
    pthread_mutex_unlock(right);
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&forks[i], 0);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, philosopher, (void *)(long)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}

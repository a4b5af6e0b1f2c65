// A semaphore must be there before others wait for it.
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *worker(void *arg) {
    sem_wait(&s);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}

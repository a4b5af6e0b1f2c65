#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int x;
static void *worker(void *arg) {
    x = 1;
    sem_post(&s);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, worker, 0);
    sem_wait(&s);
    assert(x == 1);
    pthread_join(t, 0);
    sem_destroy(&s);
    return 0;
}

/* A semaphore that two can take. */
#include <assert.h>
#include <pthread.h>

#include <semaphore.h>

int x, y;
sem_t s;

void *worker(void *arg)
{
    while (1) {
        sem_wait(&s);
        assert(x == y);
        x++;
        y++;
        sem_post(&s);
    }
    return 0;
}

int main(void)
{
    sem_init(&s, 0, 2);
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}

#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
/* Any number of producers and consumers take turns by two semaphores. */
sem_t empty, full;
int item;
void *producer(void *arg)
{
    for (;;) {
        sem_wait(&empty);
        item = 1;
        sem_post(&full);
    }
}
void *consumer(void *arg)
{
    for (;;) {
        sem_wait(&full);
        assert(item == 1);
        item = 0;
        sem_post(&empty);
    }
}
int main(void)
{
    pthread_t thread;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    for (;;) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
}

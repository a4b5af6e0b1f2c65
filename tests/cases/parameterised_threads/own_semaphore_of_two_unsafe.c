/* A semaphore in a block that nobody else knows yet is set to 2: both workers get in. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

int data;

void *worker(void *arg)
{
    sem_t *gate = arg;
    sem_wait(gate);
    data++;
    sem_post(gate);
    return 0;
}

void *starter(void *arg)
{
    pthread_t a, b;
    sem_t *gate = calloc(1, sizeof *gate);
    sem_init(gate, 0, 2);
    pthread_create(&a, 0, worker, gate);
    pthread_create(&b, 0, worker, gate);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, starter, 0);
    return 0;
}

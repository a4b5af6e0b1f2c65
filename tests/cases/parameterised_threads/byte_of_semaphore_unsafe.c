/* A byte of the semaphore is set to 1, but it is not the lowest: the semaphore is 257. */
#include <pthread.h>
#include <semaphore.h>

int data;
sem_t gate;

void *idle(void *arg)
{
    return 0;
}

void *worker(void *arg)
{
    sem_wait(&gate);
    data++;
    sem_post(&gate);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&gate, 0, 1);
    pthread_create(&a, 0, idle, 0);
    pthread_join(a, 0);
    ((char *)&gate)[1] = 1;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}

/* A semaphore that starts with two is not. */
#include <pthread.h>
#include <semaphore.h>

int __VERIFIER_nondet_int(void);

int data;
sem_t s;

void *worker(void *arg)
{
    sem_wait(&s);
    data++;
    sem_post(&s);
    return 0;
}

int main(void)
{
    pthread_t id;
    sem_init(&s, 0, 2);
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    return 0;
}

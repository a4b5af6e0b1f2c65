/* The creator posts without having waited. */
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
    sem_init(&s, 0, 1);
    while (__VERIFIER_nondet_int())
        pthread_create(&id, 0, worker, 0);
    sem_post(&s);
    return 0;
}

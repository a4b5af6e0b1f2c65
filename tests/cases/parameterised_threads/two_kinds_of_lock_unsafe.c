/* A semaphore of 2, and later a mutex at the same place: the semaphore lets two in. */
#include <pthread.h>
#include <semaphore.h>

int data;
union {
    pthread_mutex_t mutex;
    sem_t semaphore;
} gate;

void *early(void *arg)
{
    sem_wait(&gate.semaphore);
    data++;
    sem_post(&gate.semaphore);
    return 0;
}

void *late(void *arg)
{
    pthread_mutex_lock(&gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&gate.semaphore, 0, 2);
    pthread_create(&a, 0, early, 0);
    pthread_create(&b, 0, early, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    sem_destroy(&gate.semaphore);
    pthread_mutex_init(&gate.mutex, 0);
    pthread_create(&a, 0, late, 0);
    pthread_join(a, 0);
    return 0;
}

// Each waits for what the other one posts behind its own wait.
#include <pthread.h>
#include <semaphore.h>

sem_t s, t;

void *left(void *p)
{
    sem_wait(&s);
    sem_post(&t);
    return p;
}

void *right(void *p)
{
    sem_wait(&t);
    sem_post(&s);
    return p;
}

int main(void)
{
    pthread_t threads[2];
    sem_init(&s, 0, 0);
    sem_init(&t, 0, 0);
    pthread_create(&threads[0], 0, left, 0);
    pthread_create(&threads[1], 0, right, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}

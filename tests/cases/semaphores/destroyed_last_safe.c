// Destroyed when no thread uses it any more, and made again.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int x;
static void *add(void *arg)
{
    sem_wait(&s);
    x++;
    sem_post(&s);
    return arg;
}
int main(void)
{
    for (int i = 0; i < 2; i++) {
        sem_init(&s, 0, 1);
        pthread_t t;
        pthread_create(&t, 0, add, 0);
        add(0);
        pthread_join(t, 0);
        sem_destroy(&s);
    }
    assert(x == 4);
    return 0;
}

/* A mutex in a block of one's own is held, and made again: it is free for the worker. */
#include <pthread.h>
#include <stdlib.h>

int data;

void *worker(void *arg)
{
    pthread_mutex_t *m = arg;
    pthread_mutex_lock(m);
    data++;
    pthread_mutex_unlock(m);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_mutex_lock(m);
    pthread_mutex_init(m, 0);
    pthread_create(&id, 0, worker, m);
    data++;
    return 0;
}

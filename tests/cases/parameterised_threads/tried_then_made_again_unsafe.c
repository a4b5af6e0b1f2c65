/* The mutex is taken by a try and made again: that the try succeeded says nothing any more. */
#include <pthread.h>

int data;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    int busy = pthread_mutex_trylock(&m);
    pthread_mutex_init(&m, 0);
    pthread_create(&id, 0, worker, 0);
    if (!busy)
        data++;
    return 0;
}

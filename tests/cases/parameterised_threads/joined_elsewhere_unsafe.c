/* Which array of ids is joined depends on another thread. */
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t writers[2], idlers[2];
pthread_t *joined = writers;
int data;

void *turn(void *arg)
{
    pthread_mutex_lock(&m);
    joined = idlers;
    pthread_mutex_unlock(&m);
    return 0;
}

void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    data = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

void *idler(void *arg)
{
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, turn, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&writers[i], 0, writer, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&idlers[i], 0, idler, 0);
    pthread_mutex_lock(&m);
    pthread_t *ids = joined;
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], 0);
    data = 2;
    return 0;
}

#include <pthread.h>
/* What is published under a lock is read without it. */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready, data;
void *writer(void *arg)
{
    data = 5;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}
void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return data == 5 ? arg : 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    for (;;)
        pthread_create(&thread, 0, reader, 0);
}

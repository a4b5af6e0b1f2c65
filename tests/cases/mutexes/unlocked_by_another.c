/* A normal mutex that another thread unlocks: POSIX leaves that undefined. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int shared;

void *other(void *none)
{
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    shared = 1;
    assert(shared == 1);
    pthread_mutex_unlock(&mutex);
    return 0;
}

/* The thread may still hold the mutex where it is destroyed: POSIX leaves that undefined. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *none)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    int error = pthread_mutex_destroy(&mutex);
    pthread_join(id, 0);
    assert(error == 0);
    return 0;
}

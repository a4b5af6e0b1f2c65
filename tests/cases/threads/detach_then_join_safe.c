// A detached thread that still runs cannot be joined, says glibc.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, work, 0);
    assert(pthread_detach(thread) == 0);
    assert(pthread_join(thread, 0) == EINVAL);
    assert(pthread_detach(thread) == EINVAL);
    pthread_mutex_unlock(&lock);
    return 0;
}

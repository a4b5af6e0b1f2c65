/* The thread has ended without giving the lock back, so what it left is not what holds when the lock is free. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, 0);
    pthread_join(id, 0);
    assert(x == y);
    return 0;
}

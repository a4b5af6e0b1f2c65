/* A thread is started in the middle of a change, but the lock is held. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        assert(x == y);
        x++;
        y++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_mutex_lock(&m);
    x = 7;
    pthread_create(&id, 0, worker, 0);
    y = 7;
    pthread_mutex_unlock(&m);
    return 0;
}

/* All know it by its address, and hold the lock. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int *p = arg;
    while (1) {
        pthread_mutex_lock(&m);
        *p = 1;
        y = x;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, worker, &x);
    while (1) {
        pthread_mutex_lock(&m);
        assert(x == y);
        x++;
        y++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

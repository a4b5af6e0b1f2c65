/* In every second round the lock is still held. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int held = 0;
    while (1) {
        if (!held)
            pthread_mutex_lock(&m);
        assert(held || x == y);
        x++;
        if (held)
            y = x;
        else
            assert(x == y + 1);
        if (!held)
            pthread_mutex_unlock(&m);
        held = !held;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}

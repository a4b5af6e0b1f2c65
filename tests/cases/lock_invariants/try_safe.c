/* Only who gets the lock goes on. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        if (pthread_mutex_trylock(&m))
            continue;
        assert(x == y);
        x++;
        y++;
        pthread_mutex_unlock(&m);
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

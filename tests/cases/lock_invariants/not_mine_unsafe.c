/* One thread gives back what another one holds. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    pthread_mutex_unlock(&m);
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
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}

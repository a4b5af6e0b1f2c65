/* Somebody knows one of the numbers by its address. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    int *p = arg;
    *p = 1;
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

/* Which lock is taken depends on the argument. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m[2];

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m[arg != 0]);
        assert(x == y);
        x++;
        y++;
        pthread_mutex_unlock(&m[arg != 0]);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, &x);
    return 0;
}

/* One of the locks is given back too early for those who hold only the other. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        pthread_mutex_lock(&other);
        assert(x == y);
        x++;
        pthread_mutex_unlock(&other);
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
    while (1) {
        pthread_mutex_lock(&other);
        assert(x == y);
        pthread_mutex_unlock(&other);
    }
    return 0;
}

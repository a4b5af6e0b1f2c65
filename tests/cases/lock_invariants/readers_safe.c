/* Readers see what writers leave. */
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *arg)
{
    while (1) {
        pthread_rwlock_rdlock(&l);
        assert(x == y);
        pthread_rwlock_unlock(&l);
    }
    return 0;
}

void *worker(void *arg)
{
    while (1) {
        pthread_rwlock_wrlock(&l);
        x++;
        y++;
        pthread_rwlock_unlock(&l);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, reader, 0);
    return 0;
}

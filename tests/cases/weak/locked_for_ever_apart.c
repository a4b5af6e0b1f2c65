// The same, but who looks has another mutex.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
unsigned up, down;

void *move(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        up++;
        down++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

void *look(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&other);
        assert(up == down);
        pthread_mutex_unlock(&other);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

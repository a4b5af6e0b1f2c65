/* The producer does not wait until what it made is taken. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full, taken;

static void wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (pthread_cond_wait(cond, mutex))
        abort();
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&m);
    while (!full)
        wait_for(&c, &m);
    full = 0;
    taken++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, consumer, 0);
    pthread_create(&b, 0, consumer, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        full = 1;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    assert(full || taken);
    assert(full + taken == 2);
    pthread_mutex_unlock(&m);
    return 0;
}

/* What a failing iteration has read races with what another thread does on a relaxed hint. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, quick, data;
static atomic_int left;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&m);
    while (!ready && (quick || !data))
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    return unused;
}

static void *starter(void *unused)
{
    pthread_mutex_lock(&m);
    quick = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    quick = 0;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, waiter, 0);
    pthread_create(&b, 0, starter, 0);
    if (atomic_load_explicit(&left, memory_order_relaxed))
        data = 1;
    return 0;
}

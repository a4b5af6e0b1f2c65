// As deadlock_by_store_buffering, with fences: one of them sees the other and steps back.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

void *left(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&y, memory_order_relaxed))
        both(&a, &b);
    return p;
}

void *right(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&x, memory_order_relaxed))
        both(&b, &a);
    return p;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, left, 0);
    pthread_create(&t[1], 0, right, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

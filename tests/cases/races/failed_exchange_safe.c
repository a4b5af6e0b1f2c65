/* A compare-exchange that fails has the order of failure, not that of success. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static void *gives(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}
static void *takes(void *arg)
{
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&flag, &expected, 5, memory_order_acq_rel,
                                                 memory_order_acquire))
        data = 2;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, gives, 0);
    pthread_create(&b, 0, takes, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

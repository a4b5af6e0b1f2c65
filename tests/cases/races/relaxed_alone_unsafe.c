/* A relaxed flag that both threads look at does not order what is behind it. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

static atomic_int shut_down;
static long shared;

__attribute__((destructor)) static void shut(void)
{
    if (atomic_exchange_explicit(&shut_down, 1, memory_order_relaxed))
        return;
}

static void *add(void *much)
{
    if (!atomic_exchange_explicit(&shut_down, 0, memory_order_relaxed)) {
        shared += (long)much;
        atomic_store_explicit(&shut_down, 1, memory_order_relaxed);
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit))
        return 0;
    pthread_create(&t, 0, add, (void *)limit.rlim_cur);
    add((void *)1);
    pthread_join(t, 0);
    return 0;
}

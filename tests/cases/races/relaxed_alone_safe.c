/* A relaxed flag that the first thread alone looks at tells nobody anything. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

static atomic_int shut_down;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long shared;

__attribute__((destructor)) static void shut(void)
{
    if (atomic_exchange_explicit(&shut_down, 1, memory_order_relaxed))
        return;
}

static void *add(void *much)
{
    pthread_mutex_lock(&m);
    shared += (long)much;
    pthread_mutex_unlock(&m);
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

// Lazy initialisation, looked at without the lock first.
//   obmc check examples/double_checked_locking.c              SAFE
//   obmc check examples/double_checked_locking.c -DBROKEN     UNSAFE: plain flag
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int config; // what is to be initialised
#ifdef BROKEN
int ready;
#define LOAD(flag) (flag)
#define STORE(flag, value) ((flag) = (value))
#else
atomic_int ready;
#define LOAD(flag) atomic_load_explicit(&(flag), memory_order_acquire)
#define STORE(flag, value) atomic_store_explicit(&(flag), value, memory_order_release)
#endif

static int get(void)
{
    if (!LOAD(ready)) {
        pthread_mutex_lock(&m);
        if (!LOAD(ready)) {
            config = 42;
            STORE(ready, 1);
        }
        pthread_mutex_unlock(&m);
    }
    return config;
}

void *worker(void *unused)
{
    assert(get() == 42);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

/* Store buffering with an exchange of a local variable between: on x86 it has a lock whatever it is about. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2;

static void look(void)
{
    atomic_int own = 0;
    atomic_exchange(&own, 1);
}

static void *first(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    look();
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}

static void *second(void *arg)
{
    (void)arg;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    look();
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(r1 || r2);
    return 0;
}

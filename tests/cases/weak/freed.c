/* A block is handed over and freed after the join: right, but ends of objects are not looked at under
   weak models, which is an assumption. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>

static _Atomic(int *) shared;

static void *reader(void *arg)
{
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p)
        assert(*p == 7);
    return arg;
}

int main(void)
{
    pthread_t id;
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 7;
    pthread_create(&id, 0, reader, 0);
    atomic_store_explicit(&shared, p, memory_order_release);
    pthread_join(id, 0);
    free(p);
    return 0;
}

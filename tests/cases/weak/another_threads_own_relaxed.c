/* A variable of one thread alone, and another thread that was given its address and hands nothing over. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Thread_local int own;
atomic_int done;

void *writer(void *place)
{
    *(int *)place = 3;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, &own);
    if (atomic_load_explicit(&done, memory_order_relaxed)) {
        assert(own == 3);
    }
    pthread_join(thread, 0);
    assert(own == 3);
    return 0;
}

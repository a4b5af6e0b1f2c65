// The pointer comes with the flag.
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int *) pointer;
atomic_int flag;
int target;

void *writer(void *p)
{
    atomic_store_explicit(&pointer, &target, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return p;
}

void *reader(void *p)
{
    if (atomic_load_explicit(&flag, memory_order_acquire))
        *atomic_load_explicit(&pointer, memory_order_relaxed) = 1;
    return p;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
